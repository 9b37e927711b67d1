/** Where to knock for a daemon that listens on `host`: one that listens everywhere is also at home. */
export function reachableHost(host: string): string {
  if (host === "0.0.0.0") return "127.0.0.1";
  return host === "::" ? "::1" : host;
}

export function urlOf(host: string, port: number): string {
  const reachable = reachableHost(host);
  return `http://${reachable.includes(":") ? `[${reachable}]` : reachable}:${port}`;
}
