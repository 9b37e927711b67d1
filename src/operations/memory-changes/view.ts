import type { MemoryChangeView } from "../../contract/personal/memory-changes.ts";
import type { MemoryChange } from "../../ports/store/memory.ts";

export function toMemoryChangeView({ details, at, decidedAt, ...change }: MemoryChange): MemoryChangeView {
  return {
    ...change,
    entries: (details.entries ?? []).map(({ key, text, outside }) => ({ key, text, outside })),
    note: details.note?.name ?? null,
    kept: details.kept ?? null,
    at: new Date(at).toISOString(),
    decidedAt: decidedAt === null ? null : new Date(decidedAt).toISOString(),
  };
}
