import { createHash } from "node:crypto";
import { isUntrusted, UNTRUSTED_MARK } from "../../domain/recall/untrusted-content.ts";
import { valueText } from "../../domain/recall/value-text.ts";
import { refuse, type Refusal } from "../../kernel/refusal.ts";
import type { Result } from "../../kernel/result.ts";
import type { Document, DocumentInfo } from "../../ports/documents.ts";
import type { MemoryEntry } from "../../ports/personal-context.ts";
import type { Read } from "../core/define.ts";

/**
 * A generated document: the public memories of the participants of a workspace. It is made at each read, so that it never
 * contains a memory that is no longer public.
 */
export const PUBLIC_MEMORIES = "public-memories.md";

/** Returns null when there are no public memories. */
export async function publicMemories(ctx: Read, space: string): Promise<(Document & DocumentInfo) | null> {
  const participants = await ctx.read((store) => store.workspaces.roster(space));
  const chapters: string[] = [];
  let modifiedMs = 0;
  for (const participant of participants) {
    const { ref } = participant;
    const context = ref === null ? undefined : ctx.services.personal(ref);
    if (context?.ok !== true) continue;
    const { entries } = await context.value.memory.list();
    const shown = entries.filter(({ visibility, validUntil }) => visibility === "public" && validUntil === undefined);
    if (shown.length === 0) continue;
    chapters.push([`## ${participant.agent}`, ...shown.map(entryLine)].join("\n"));
    modifiedMs = Math.max(modifiedMs, ...shown.map(({ updated }) => Date.parse(updated ?? "") || 0));
  }
  if (chapters.length === 0) return null;
  const content = `# What the team knows\n\n${chapters.join("\n\n")}\n`;
  const revision = createHash("sha256").update(content).digest("hex").slice(0, 16);
  return { file: PUBLIC_MEMORIES, content, revision, bytes: Buffer.byteLength(content), modifiedMs };
}

export function refuseWriting(file: string): Result<never, Refusal> | undefined {
  if (file.toLowerCase() !== PUBLIC_MEMORIES) return undefined;
  return refuse("forbidden", `${PUBLIC_MEMORIES} is made of what agents publish and cannot be written.`, {
    hint: "Write another document, or make a memory public.",
  });
}

function entryLine(entry: MemoryEntry): string {
  const day = entry.updated === null ? "" : entry.updated.slice(0, "YYYY-MM-DD".length);
  const facts = [day, isUntrusted(entry) ? UNTRUSTED_MARK : ""].filter((fact) => fact !== "");
  const about = facts.length === 0 ? "" : ` (${facts.join(", ")})`;
  return `- ${entry.key}${about}: ${valueText(entry).replaceAll("\n", "\n  ")}`;
}
