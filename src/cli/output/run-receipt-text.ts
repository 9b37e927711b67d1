import type { RunReceiptView } from "../../contract/runs.ts";
import { heardText } from "./untrusted-mark.ts";
import { visibleText } from "./visible-text.ts";

/** What a run was given, a line for each part, and below it what was left out. */
export function runReceiptText({ tokens, budget, parts, heard, outside }: RunReceiptView): string {
  const lines = parts.map(({ part, tokens: cost, items, names, leftOut }) => {
    const given =
      names.length === 0 ? "" : `: ${names.map(visibleText).join(", ")}${items > names.length ? ", ..." : ""}`;
    const lost = leftOut.map(
      (each) => `\n      left out, ${each.reason}: ${each.count} (${each.names.map(visibleText).join(", ")})`,
    );
    return `    ${part}, ${cost} tokens${given}${lost.join("")}\n`;
  });
  const who = heard === undefined ? "" : `    ${heardText(heard, outside)}\n`;
  return `  given about ${tokens} of ${budget} tokens:\n${lines.join("")}${who}`;
}
