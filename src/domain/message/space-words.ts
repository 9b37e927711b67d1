import { DEFAULT_TAG } from "../names.ts";
import { displaySpace, parseSpace } from "./space.ts";

/** Returns a space from `formatSpace` as people write it: without the default tag. */
export function spaceWords(space: string): string {
  const parsed = parseSpace(space);
  return parsed.ok ? displaySpace(parsed.value) : space;
}

/** Returns what a person types after `agent-worker start` to open the workspace again. */
export function startWords({ workflow, tag }: { readonly workflow: string; readonly tag: string }): string {
  return tag === DEFAULT_TAG ? workflow : `${workflow} --tag ${tag}`;
}

/** The same for a space from `formatSpace`. */
export function startWordsOf(space: string): string {
  const parsed = parseSpace(space);
  return parsed.ok && parsed.value.kind === "workspace" ? startWords(parsed.value) : space;
}
