import { PERSON, SYSTEM } from "../message/message.ts";

/** What marks untrusted content, in files and for people and agents. */
export const UNTRUSTED_MARK = "outside text";

/** Whether a memory or a note may repeat untrusted content. Without an origin it may, unless a person or the system wrote it. */
export function isUntrusted(entry: {
  readonly source: string;
  readonly origin: { readonly outside: boolean } | null;
}): boolean {
  if (entry.source === PERSON || entry.source === SYSTEM) return false;
  return entry.origin?.outside ?? true;
}

/** Returns where a memory comes from, for people and agents; null when that was not recorded. */
export function originText(entry: {
  readonly source: string;
  readonly origin: { readonly by: string; readonly space: string; readonly heard: readonly string[] } | null;
}): string | null {
  const { origin } = entry;
  if (origin === null) return null;
  const place = origin.space.startsWith("@") ? `in ${origin.space.replace(/:main$/, "")}` : "in direct messages";
  const others = origin.heard.filter((name) => name !== origin.by);
  return others.length === 0 ? place : `${place}, after hearing ${others.join(", ")}`;
}
