import { findFences } from "./fences.ts";
import type { MessageKind } from "./message.ts";

/**
 * Keeps large bodies out of channels and prompts: the whole body of a large message becomes a resource, and the channel
 * shows a preview. Mentions are read from the whole body first. A kickoff is the task itself: it is cut only when it is
 * longer than any model reads at once, and then its preview is long.
 */
const LARGE_MESSAGE_BYTES = 8 * 1024;
const PREVIEW_BYTES = 1024;
const LARGE_KICKOFF_BYTES = 256 * 1024;
const KICKOFF_PREVIEW_BYTES = 64 * 1024;
const LISTED_MENTIONS = 20;

export type SplitBody = { readonly inline: string } | LargeBody;

export interface LargeBody {
  readonly preview: string;
  readonly content: string;
  /** The size of `content` in UTF-8. */
  readonly bytes: number;
}

export function splitLargeBody(
  body: string,
  options: { readonly kind: MessageKind; readonly threshold?: number },
): SplitBody {
  const isKickoff = options.kind === "kickoff";
  const threshold = isKickoff ? LARGE_KICKOFF_BYTES : (options.threshold ?? LARGE_MESSAGE_BYTES);
  const bytes = Buffer.byteLength(body);
  if (bytes <= threshold) return { inline: body };
  const limit = isKickoff ? KICKOFF_PREVIEW_BYTES : Math.min(PREVIEW_BYTES, threshold);
  return { preview: previewOf(body, limit), content: body, bytes };
}

/** Returns the text that the channel shows in place of the body. */
export function previewText(
  preview: string,
  about: { readonly resourceId: string; readonly bytes: number; readonly mentions: readonly string[] },
): string {
  const listed = about.mentions.slice(0, LISTED_MENTIONS).map((name) => `@${name}`);
  const more = about.mentions.length - listed.length;
  const lines = [
    `[resource:${about.resourceId}] The message goes on: ${describeBytes(about.bytes)} in all. ` +
      `Read the whole with resource_read {"id": "${about.resourceId}"}.`,
  ];
  if (listed.length > 0) lines.push(`Mentions: ${listed.join(" ")}${more > 0 ? ` and ${more} more` : ""}`);
  return [preview, lines.join("\n")].filter((part) => part !== "").join("\n\n");
}

/** Returns at most `limit` bytes. A code block that the cut leaves open is closed, so that the text after it is no code. */
function previewOf(body: string, limit: number): string {
  const text = cut(body, limit);
  const closing = closingLine(text);
  if (closing === "") return text;
  const shorter = cut(body, limit - Buffer.byteLength(closing));
  const open = openFence(shorter);
  if (open === undefined) return shorter;
  const closed = shorter + closingLine(shorter);
  return Buffer.byteLength(closed) <= limit ? closed : shorter.slice(0, open.start).trimEnd();
}

function openFence(text: string): ReturnType<typeof findFences>[number] | undefined {
  const last = findFences(text).at(-1);
  return last !== undefined && !last.closed && !last.quoted ? last : undefined;
}

/** Indented like the opening line, so that it also closes a block in a list. A quoted block ends with its quote. */
function closingLine(text: string): string {
  const open = openFence(text);
  return open === undefined ? "" : `\n${" ".repeat(open.column)}${open.marker}`;
}

/** Returns the longest prefix that fits, in whole characters; cut at a line break if that keeps at least half of it. */
function cut(text: string, limit: number): string {
  let bytes = 0;
  let end = 0;
  for (const char of text) {
    bytes += Buffer.byteLength(char);
    if (bytes > limit) break;
    end += char.length;
  }
  const lineBreak = text.lastIndexOf("\n", end);
  return text.slice(0, lineBreak >= end / 2 ? lineBreak : end).trimEnd();
}

function describeBytes(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`;
  const kib = bytes / 1024;
  return kib < 1024 ? `${kib.toFixed(1)} KiB` : `${(kib / 1024).toFixed(1)} MiB`;
}
