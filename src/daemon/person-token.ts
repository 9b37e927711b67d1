import { createHmac, hash, randomBytes, timingSafeEqual } from "node:crypto";

/**
 * The token of the person this daemon works for. There is one for each life of the daemon, so that starting it again is
 * all it takes to make an old one worthless.
 */
export interface PersonToken {
  readonly text: string;
  /** In constant time. */
  matches(token: string): boolean;
  /** Shows that we know it: see `contract/routes.ts`. */
  prove(nonce: string): string;
}

export function createPersonToken(): PersonToken {
  const text = randomBytes(32).toString("base64url");
  const digest = hash("sha256", text, "buffer");
  return {
    text,
    matches: (token) => timingSafeEqual(hash("sha256", token, "buffer"), digest),
    prove: (nonce) => createHmac("sha256", text).update(nonce).digest("hex"),
  };
}
