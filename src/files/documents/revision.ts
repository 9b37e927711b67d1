import { createHash } from "node:crypto";

/** Names a content: the same text has the same revision, whoever wrote it and when. */
export function revisionOf(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex").slice(0, 16);
}
