import { CHALLENGE_HEADER, CODE_HEADER, PROJECT_HEADER, PROOF_HEADER } from "../contract/service/headers.ts";
import type { Refusal } from "../kernel/refusal.ts";

/** The headers by which it is decided where a request belongs, from whom it is and how it is read. */
const DECISIVE = new Set([
  "host",
  "origin",
  "authorization",
  "content-type",
  "content-encoding",
  "expect",
  "sec-fetch-site",
  PROJECT_HEADER,
  CHALLENGE_HEADER,
  PROOF_HEADER,
  CODE_HEADER,
]);

/**
 * Returns the name of a decisive header that a request has twice. Node uses the first one and drops the others; a
 * proxy before the daemon may have decided by another one.
 */
export function repeatedHeader(rawHeaders: readonly string[]): string | undefined {
  const seen = new Set<string>();
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = (rawHeaders[i] ?? "").toLowerCase();
    if (!DECISIVE.has(name)) continue;
    if (seen.has(name)) return name;
    seen.add(name);
  }
  return undefined;
}

export function givenTwice(name: string): Refusal {
  return { code: "invalid", message: `The request has the header ${name} twice.`, hint: "Send it once." };
}
