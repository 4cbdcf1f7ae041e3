/** Whether a request only asks: what it may change is no more than what is counted or noted of it. */
export function isSafe({ method }: Pick<Request, "method">): boolean {
  return method === "GET" || method === "HEAD";
}
