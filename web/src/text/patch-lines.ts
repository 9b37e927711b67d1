import { linesOf, type DiffPart } from "../../../src/contract/text/line-diff.ts";

/** The lines of a patch as `git diff` writes it. */
export function patchLines(patch: string): readonly DiffPart[] {
  return linesOf(patch).map((text) => {
    if (/^(?:\+\+\+|---|\*\*\*|@@|diff |index )/.test(text)) return { kind: "gap", text };
    if (text.startsWith("+")) return { kind: "added", text: text.slice(1) };
    if (text.startsWith("-")) return { kind: "removed", text: text.slice(1) };
    return { kind: "same", text: text.replace(/^ /, "") };
  });
}
