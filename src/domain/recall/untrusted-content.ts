import { PERSON, SYSTEM } from "../message/message.ts";

/**
 * Whether a memory may repeat what somebody outside said. What nobody took down the origin of counts as such, unless a
 * person stands for it: it is better to show too much of it as outside text than too little.
 */
export function isUntrusted(entry: {
  readonly source: string;
  readonly origin: { readonly outside: boolean } | null;
}): boolean {
  if (entry.source === PERSON || entry.source === SYSTEM) return false;
  return entry.origin?.outside ?? true;
}

/** Where a memory comes from, in words. */
export function originText(entry: {
  readonly source: string;
  readonly origin: { readonly by: string; readonly space: string; readonly heard: readonly string[] } | null;
}): string | null {
  const { origin } = entry;
  if (origin === null) return null;
  const place = origin.space.startsWith("@") ? `in ${origin.space.replace(/:main$/, "")}` : "in direct messages";
  const heard = origin.heard.filter((name) => name !== origin.by);
  return heard.length === 0 ? place : `${place}, after hearing ${heard.join(", ")}`;
}
