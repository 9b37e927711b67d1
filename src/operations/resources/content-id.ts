import { createHash } from "node:crypto";

/** The id of a resource is a hash of its content: the same bytes are stored once, and an id never changes its meaning. */
export function contentId(content: string | Uint8Array): string {
  return `res_${createHash("sha256").update(content).digest("hex").slice(0, 32)}`;
}
