import { createHash } from "node:crypto";

/** The id of a resource is its content: the same text is kept once, and an id can never come to mean another text. */
export function contentId(content: string): string {
  return `res_${createHash("sha256").update(content).digest("hex").slice(0, 32)}`;
}
