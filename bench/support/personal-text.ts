import type { PersonalText } from "../../src/ports/personal-context.ts";

export function personalText(key: string, text: string, more: Partial<PersonalText> = {}): PersonalText {
  return {
    kind: "memory",
    key,
    text,
    tier: "working",
    visibility: "private",
    source: "alice",
    outside: false,
    origin: null,
    id: key,
    at: Date.UTC(2026, 0, 1),
    ...more,
  };
}
