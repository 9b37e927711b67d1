import type { DiffPart } from "../../../src/contract/text/line-diff.ts";
import { visibleText } from "../text/visible-text.ts";

const MARKS = { added: "+", removed: "-", same: " ", gap: "" } as const;
const WORDS = { added: "added: ", removed: "removed: ", same: "", gap: "" } as const;

/** A change in red and green, and with marks for those who do not see colours. */
export function Diff({ lines, label }: { readonly lines: readonly DiffPart[]; readonly label: string }) {
  return (
    <div class="diff" role="group" aria-label={label} tabIndex={0}>
      {lines.map(({ kind, text }, at) => (
        <div key={at} class={`diff-line ${kind}`}>
          <span class="diff-mark" aria-hidden="true">
            {MARKS[kind]}
          </span>
          {WORDS[kind] === "" ? null : <span class="unseen">{WORDS[kind]}</span>}
          <span class="diff-text">{visibleText(text)}</span>
        </div>
      ))}
    </div>
  );
}
