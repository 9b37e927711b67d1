import type { IncomingMessage } from "node:http";

/**
 * The cookie that holds the secret of a page's session. Browsers send a cookie to every port of a host, so its name
 * contains the port: daemons on two ports do not overwrite each other's cookie.
 */
function cookieName(request: IncomingMessage): string {
  return `agent-worker-${request.socket.localPort ?? 0}`;
}

/** The value of the header `set-cookie`. No script can read the cookie, and no other site can make a browser send it. */
export function sessionCookie(request: IncomingMessage, secret: string, lastsMs: number): string {
  const lasts = Math.floor(lastsMs / 1000);
  // Browsers say where the page comes from, and the address was checked before.
  const secure = request.headers.origin?.startsWith("https:") === true ? "; Secure" : "";
  return `${cookieName(request)}=${secret}; HttpOnly; SameSite=Strict; Path=/; Max-Age=${lasts}${secure}`;
}

/** All of them: another program of this host can add a cookie of the same name, and must not hide ours. */
export function sessionSecrets(request: IncomingMessage): readonly string[] {
  const start = `${cookieName(request)}=`;
  const cookies = request.headers.cookie?.split(";").map((each) => each.trim()) ?? [];
  return cookies.filter((each) => each.startsWith(start)).map((each) => each.slice(start.length));
}
