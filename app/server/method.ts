/** Whether a method is safe (RFC 9110, 9.2.1): the request changes nothing but counters and logs. */
export function isSafe({ method }: Pick<Request, "method">): boolean {
  return method === "GET" || method === "HEAD";
}
