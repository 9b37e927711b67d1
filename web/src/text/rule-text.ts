import type { RuleView } from "../../../src/contract/rules.ts";
import { visibleText } from "./visible-text.ts";

/** Returns the condition of a rule in words: `bob says something that holds "ready"`. */
export function conditionText(when: RuleView["when"]): string {
  const quoted = (text: string): string => `"${visibleText(text)}"`;
  if (when.on === "message") {
    const terms = [
      ...(when.contains === undefined ? [] : [`holds ${quoted(when.contains)}`]),
      ...(when.mentions === undefined ? [] : [`calls @${visibleText(when.mentions)}`]),
    ];
    const what = terms.length === 0 ? "something" : `something that ${terms.join(" and ")}`;
    return `${visibleText(when.from ?? "anybody")} says ${what}`;
  }
  if (when.on === "document") {
    return `${visibleText(when.from ?? "anybody")} writes ${visibleText(when.file ?? "a document")}`;
  }
  const won = when.winner === undefined ? "" : `, won by ${quoted(when.winner)}`;
  return `a ballot ${when.state === undefined ? "ends" : `is ${when.state}`}${won}`;
}
