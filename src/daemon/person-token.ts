import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";

/** The token of the person. Every daemon process makes a new one: a restart revokes the old one. */
export interface PersonToken {
  readonly text: string;
  /** The time it takes reveals only the length of the token, which is public. */
  matches(token: string): boolean;
  /** Returns a proof that this daemon knows the token: see `contract/service/headers.ts`. */
  prove(nonce: string): string;
}

export function createPersonToken(): PersonToken {
  const text = randomBytes(32).toString("base64url");
  const bytes = Buffer.from(text);
  return {
    text,
    matches: (token) => {
      const candidate = Buffer.from(token);
      return candidate.length === bytes.length && timingSafeEqual(candidate, bytes);
    },
    prove: (nonce) => createHmac("sha256", text).update(nonce).digest("hex"),
  };
}
