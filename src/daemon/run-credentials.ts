import { hash, randomBytes } from "node:crypto";
import type { RunCredential, RunCredentials } from "../runtime/daemon-context.ts";

/**
 * The tokens of runs, stored as hashes: the time of a lookup reveals nothing about a token, and memory holds no token.
 * Their shape is known to `kernel/redaction/issued-keys.ts`, so that a token that an agent prints is never stored.
 */
export function createRunCredentials(url: () => string): RunCredentials {
  const credentials = new Map<string, RunCredential>();
  return {
    issue(credential) {
      const token = `awr_${randomBytes(32).toString("base64url")}`;
      const key = hash("sha256", token);
      credentials.set(key, credential);
      return { url: url(), token, [Symbol.dispose]: () => void credentials.delete(key) };
    },
    find: (token) => credentials.get(hash("sha256", token)),
    get size() {
      return credentials.size;
    },
  };
}
