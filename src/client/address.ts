/** The address of a daemon that listens on `host`: one that listens on all interfaces is also on loopback. */
export function reachableHost(host: string): string {
  if (host === "0.0.0.0") return "127.0.0.1";
  return host === "::" ? "::1" : host;
}

export function urlOf(host: string, port: number): string {
  const reachable = reachableHost(host);
  return `http://${reachable.includes(":") ? `[${reachable}]` : reachable}:${port}`;
}
