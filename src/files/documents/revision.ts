import { createHash } from "node:crypto";

/** Returns the revision of a content: a hash, equal for equal texts. */
export function revisionOf(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex").slice(0, 16);
}
