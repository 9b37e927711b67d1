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

export interface TrustedNames {
  /** Further host names of this machine. */
  readonly names?: readonly string[] | undefined;
  /** The address of the page behind which something encrypts, such as `https://team.example`. */
  readonly publicUrl?: string | undefined;
}

export function createAddressCheck(
  { host, port }: BoundAddress,
  { names: otherNames = [], publicUrl }: TrustedNames = {},
): AddressCheck {
  const hosts = new Set([...LOOPBACK_NAMES, host, ...otherNames].flatMap((name) => authorities(name, port)));
  const origins = new Set([...hosts].map((authority) => `http://${authority}`));
  const everywhere = EVERY_INTERFACE.has(host);
  if (publicUrl !== undefined) {
    hosts.add(new URL(publicUrl).host);
    origins.add(new URL(publicUrl).origin);
  }

  const isOurs = (name: string, request: IncomingMessage): boolean => {
    if (hosts.has(name) || hosts.has(name.toLowerCase())) return true;
    if (!everywhere) return false;
    // An address cannot be rebound, only a name can.
    const { localAddress = "" } = request.socket;
    return authorities(localAddress.replace(/^::ffff:/, ""), port).includes(name);
  };

  return (request) => {
    const { host: name, origin, "sec-fetch-site": site } = request.headers;
    if (name === undefined || !isOurs(name, request)) return FOREIGN_HOST;
    if (origin !== undefined && !origins.has(origin)) return FOREIGN_ORIGIN;
    // A page may send a plain GET without an Origin; browsers still send this header.
    if (site !== undefined && site !== "same-origin" && site !== "none") return FOREIGN_ORIGIN;
    return undefined;
  };
}

/** For a server that encrypts: only the one address that the person stated, and nothing of this machine. */
export function createPublicAddressCheck(publicUrl: string): AddressCheck {
  const { host, origin: own } = new URL(publicUrl);
  return ({ headers: { host: name, origin, "sec-fetch-site": site } }) => {
    if (name?.toLowerCase() !== host) return FOREIGN_HOST;
    if (origin !== undefined && origin !== own) return FOREIGN_ORIGIN;
    return site === undefined || site === "same-origin" || site === "none" ? undefined : FOREIGN_ORIGIN;
  };
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
