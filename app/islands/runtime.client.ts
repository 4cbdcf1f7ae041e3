export function startIslands() {}
