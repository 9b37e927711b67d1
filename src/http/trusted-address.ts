import type { IncomingMessage } from "node:http";
import type { Refusal } from "../kernel/refusal.ts";

/**
 * Refuses a request to a foreign host name or from a foreign origin, before any other check. A page in a browser can
 * make this machine send requests under a name of its choice (DNS rebinding) or from its own origin. Programs send no
 * Origin.
 */
export type AddressCheck = (request: IncomingMessage) => Refusal | undefined;

export interface BoundAddress {
  readonly host: string;
  readonly port: number;
}

const LOOPBACK_NAMES = ["127.0.0.1", "localhost", "::1"];
const EVERY_INTERFACE = new Set(["0.0.0.0", "::"]);
const DEFAULT_PORT = 80;

/** `publicName`: the host name under which a reverse proxy with TLS is reached. */
export function createAddressCheck(
  { host, port }: BoundAddress,
  otherNames: readonly string[] = [],
  publicName?: string,
): AddressCheck {
  const hosts = new Set([...LOOPBACK_NAMES, host, ...otherNames].flatMap((name) => authorities(name, port)));
  const origins = new Set([...hosts].map((authority) => `http://${authority}`));
  if (publicName !== undefined) {
    for (const authority of [publicName, `${publicName}:443`]) hosts.add(authority.toLowerCase());
    origins.add(`https://${publicName.toLowerCase()}`);
  }
  const everywhere = EVERY_INTERFACE.has(host);

  const isOurs = (name: string, request: IncomingMessage): boolean => {
    if (hosts.has(name) || hosts.has(name.toLowerCase())) return true;
    if (!everywhere) return false;
    // An address cannot be rebound, only a name can.
    const { localAddress = "" } = request.socket;
    return authorities(localAddress.replace(/^::ffff:/, ""), port).includes(name);
  };

  return (request) => {
    const { host: name, origin, "sec-fetch-site": site } = request.headers;
    // A name cannot be rebound to a daemon with TLS: the browser compares it with the certificate.
    const secure = isEncrypted(request);
    if (name === undefined || (!secure && !isOurs(name, request))) return FOREIGN_HOST;
    const isOwn = secure ? origin === `https://${name}` : origins.has(origin ?? "");
    if (origin !== undefined && !isOwn) return FOREIGN_ORIGIN;
    // A page may send a plain GET without an Origin; browsers still send this header.
    if (site !== undefined && site !== "same-origin" && site !== "none") return FOREIGN_ORIGIN;
    return undefined;
  };
}

export function isEncrypted({ socket }: IncomingMessage): boolean {
  return "encrypted" in socket && socket.encrypted === true;
}

const FOREIGN_HOST: Refusal = {
  code: "forbidden",
  message: "The Host of the request is not one of this daemon's.",
  hint: "Use the address the daemon listens on, such as 127.0.0.1 with its port.",
};

const FOREIGN_ORIGIN: Refusal = {
  code: "forbidden",
  message: "Requests from web pages of other origins are refused.",
};

/** As written in `Host`: an IPv6 address in brackets, the default port with or without its number. */
function authorities(name: string, port: number): string[] {
  const literal = (name.includes(":") ? `[${name}]` : name).toLowerCase();
  return port === DEFAULT_PORT ? [literal, `${literal}:${port}`] : [`${literal}:${port}`];
}
