import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";

/**
 * The token of the person this daemon works for. There is one for each life of the daemon, so that starting it again is
 * all it takes to make an old one worthless.
 */
export interface PersonToken {
  readonly text: string;
  /** The time it takes tells the length of a token at most, and that is known. */
  matches(token: string): boolean;
  /** Shows that we know it: see `contract/service/headers.ts`. */
  prove(nonce: string): string;
}

export function createPersonToken(): PersonToken {
  const text = randomBytes(32).toString("base64url");
  const bytes = Buffer.from(text);
  return {
    text,
    matches: (token) => {
      const given = Buffer.from(token);
      return given.length === bytes.length && timingSafeEqual(given, bytes);
    },
    prove: (nonce) => createHmac("sha256", text).update(nonce).digest("hex"),
  };
}
