import { spawnSync } from "node:child_process";
import { chmodSync, chownSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ServerAccount } from "./server.ts";

/** Paths of a certificate for `localhost`, of its key, and of the authority that signed it. */
export interface Certificates {
  readonly authority: string;
  readonly certificate: string;
  readonly key: string;
}

/** Made with the program `openssl`. */
export function makeCertificates(folder: string, account: ServerAccount | undefined): Certificates {
  const at = (name: string): string => join(folder, name);
  const openssl = (...args: string[]): void => {
    const { status, stderr } = spawnSync("openssl", args, { encoding: "utf8" });
    if (status !== 0) throw new Error(`openssl ${args.join(" ")}: ${stderr}`);
  };
  const newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  const authority = ["-subj", "/CN=Test authority", "-keyout", at("ca.key"), "-out", at("ca.crt")];
  openssl("req", "-x509", "-days", "2", ...newKey, ...authority);
  openssl("req", ...newKey, "-subj", "/CN=localhost", "-keyout", at("server.key"), "-out", at("server.csr"));
  writeFileSync(at("names"), "subjectAltName=DNS:localhost\n");
  const signed = ["-CA", at("ca.crt"), "-CAkey", at("ca.key"), "-CAcreateserial", "-extfile", at("names")];
  openssl("x509", "-req", "-days", "2", "-in", at("server.csr"), ...signed, "-out", at("server.crt"));
  // The server refuses a key that others may read.
  chmodSync(at("server.key"), 0o600);
  if (account !== undefined) chownSync(at("server.key"), account.uid, account.gid);
  return { authority: at("ca.crt"), certificate: at("server.crt"), key: at("server.key") };
}
