import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Exposure } from "../../../contract/service/discovery.ts";
import { UsageError } from "../../arguments/usage-error.ts";

/** Options of `daemon start` about who can reach the daemon. */
export const LISTENING_OPTIONS = {
  host: { value: "HOST", about: "Listen on this address; others than 127.0.0.1 need TLS or a proxy" },
  "tls-cert": { value: "FILE", about: "Certificate for connections from other machines (PEM)" },
  "tls-key": { value: "FILE", about: "Its private key (PEM)" },
  "behind-proxy": { value: "NAME", about: "A reverse proxy with TLS is in front: the host name that people use" },
} as const;

export interface ListeningOptions {
  readonly host?: string | undefined;
  readonly "tls-cert"?: string | undefined;
  readonly "tls-key"?: string | undefined;
  readonly "behind-proxy"?: string | undefined;
}

const LOOPBACK = /^(?:127(?:\.\d{1,3}){3}|::1|localhost)$/;

/** Refuses an address that strangers could reach without encryption. */
export function readExposure(words: ListeningOptions): Exposure | undefined {
  const { host = "127.0.0.1", "tls-cert": cert, "tls-key": key, "behind-proxy": proxy } = words;
  if ((cert === undefined) !== (key === undefined)) throw new UsageError("--tls-cert and --tls-key belong together.");
  if (cert !== undefined && proxy !== undefined) {
    throw new UsageError("With --behind-proxy the proxy has the certificate: leave out --tls-cert and --tls-key.");
  }
  if (cert !== undefined && key !== undefined) {
    for (const file of [cert, key]) checkReadable(file);
    return { kind: "tls", cert: resolve(cert), key: resolve(key) };
  }
  if (proxy !== undefined) return { kind: "proxy", name: proxy };
  if (LOOPBACK.test(host)) return undefined;
  throw new UsageError(
    `Listening on ${host} needs encryption: give --tls-cert FILE and --tls-key FILE, or --behind-proxy NAME when a reverse proxy with TLS is in front.`,
  );
}

/** The same as arguments, for a daemon in a process of its own. */
export function exposureArguments(exposure: Exposure | undefined): string[] {
  if (exposure === undefined) return [];
  if (exposure.kind === "proxy") return ["--behind-proxy", exposure.name];
  return ["--tls-cert", exposure.cert, "--tls-key", exposure.key];
}

function checkReadable(file: string): void {
  try {
    readFileSync(file);
  } catch {
    throw new UsageError(`${file} cannot be read.`);
  }
}
