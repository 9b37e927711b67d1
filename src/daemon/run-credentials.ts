import { hash, randomBytes } from "node:crypto";
import type { RunCredential, RunCredentials } from "../runtime/daemon-context.ts";

/**
 * The tokens of runs, kept as hashes: looking one up tells nothing about it by the time it takes, and what is in memory
 * is no token. Their shape is known to `kernel/secret-shapes.ts`, so that one that an agent prints is never kept.
 */
export function createRunCredentials(url: () => string): RunCredentials {
  const runCredentials = new Map<string, RunCredential>();
  return {
    issue(credential) {
      const token = `awr_${randomBytes(32).toString("base64url")}`;
      const key = hash("sha256", token);
      runCredentials.set(key, credential);
      return { url: url(), token, [Symbol.dispose]: () => void runCredentials.delete(key) };
    },
    find: (token) => runCredentials.get(hash("sha256", token)),
    get size() {
      return runCredentials.size;
    },
  };
}
