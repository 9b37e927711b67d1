import { closeSync, constants, fstatSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { stampAt } from "../files/file-stamp.ts";
import { openPrivateFile, writePrivateFile } from "../files/private-file.ts";
import { Fault } from "../kernel/fault.ts";

/**
 * How other devices reach the page: the address they open, and for a daemon that answers there itself, where it listens
 * and its certificate. Without a certificate something in front of the daemon encrypts: a tunnel or a reverse proxy.
 * Without this file nothing but this machine reaches the daemon.
 */
export const pageAccess = z.object({
  /** Only https. The names of other addresses are refused, so that no page of somebody else can use this daemon. */
  url: z.url({ protocol: /^https$/ }),
  tls: z.object({ host: z.string().min(1), cert: z.string().min(1), key: z.string().min(1) }).optional(),
});
export type PageAccess = z.output<typeof pageAccess>;

const FILE = "page-access.json";
const MAX_BYTES = 64 * 1024;
const HTTPS_PORT = 443;

/** Undefined: off. Throws a Fault for a file that cannot be used, because the person wants it on. */
export function readPageAccess(home: string): PageAccess | undefined {
  const path = join(home, FILE);
  if (stampAt(path) === "") return undefined;
  const file = openPrivateFile(path, constants.O_RDONLY);
  try {
    const text = fstatSync(file).size > MAX_BYTES ? "" : readFileSync(file, "utf8");
    return pageAccess.parse(JSON.parse(text));
  } catch (error) {
    throw new Fault("file_unreadable", `${path} cannot be used.`, {
      cause: error,
      hint: "Set it again with: agent-worker ui share --url URL, or switch it off: agent-worker ui share --off",
    });
  } finally {
    closeSync(file);
  }
}

export function writePageAccess(home: string, access: PageAccess | undefined): void {
  const path = join(home, FILE);
  if (access === undefined) rmSync(path, { force: true });
  else writePrivateFile(path, `${JSON.stringify(access, null, 2)}\n`);
}

/** Reads the certificate and the key, and returns where to listen. Throws a Fault when a file cannot be read. */
export function tlsOf({ url, tls }: PageAccess) {
  if (tls === undefined) return undefined;
  const read = (path: string): Buffer => {
    try {
      return readFileSync(path);
    } catch (error) {
      throw new Fault("file_unreadable", `The file ${path} for the page cannot be read.`, {
        cause: error,
        hint: "Name a certificate and its key: agent-worker ui share --url URL --listen HOST --cert FILE --key FILE",
      });
    }
  };
  const { port } = new URL(url);
  return {
    address: { host: tls.host, port: port === "" ? HTTPS_PORT : Number(port) },
    cert: read(tls.cert),
    key: read(tls.key),
  };
}
