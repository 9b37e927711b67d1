import type { RunReceiptView } from "../../../src/contract/runs.ts";
import { countOf } from "../text/figures.ts";
import { visibleText } from "../text/visible-text.ts";
import { Badge, Section, Table, UntrustedBadge } from "./elements.tsx";

const REASONS: Readonly<Record<string, string>> = {
  budget: "no room left",
  share: "its share was used up",
  inbox: "shown in the inbox",
  "switched-off": "switched off",
  unrelated: "not about this",
};

/** The parts of a run's prompt, and what was left out of each. */
export function RunReceipt({ receipt }: { readonly receipt: RunReceiptView }) {
  const { tokens, budget, overBudget, parts, heard, outside } = receipt;
  return (
    <Section title="Given">
      <p class="dim">
        About {tokens.toLocaleString("en")} of {budget.toLocaleString("en")} tokens
        {heard === undefined
          ? ""
          : `, words of ${visibleText(heard.map((name) => (name === "user" ? "you" : name)).join(", ")) || "nobody"}`}{" "}
        {outside === true ? <UntrustedBadge /> : null} {overBudget ? <Badge kind="warn">over its budget</Badge> : null}
      </p>
      <Table columns={["Part", "Tokens", "What"]} numbers={["Tokens"]}>
        {parts.map(({ part, place, tokens: cost, items, names, leftOut, notes = [] }) => (
          <tr key={`${place} ${part}`}>
            <th scope="row">{visibleText(part)}</th>
            <td class="number">{cost.toLocaleString("en")}</td>
            <td class="wide-cell">
              <span class="dim">{names.length === 0 && items < 2 ? "" : named(names, items)}</span>
              {leftOut.map(({ reason, count, names: lost }) => (
                <div key={reason}>
                  <Badge kind={reason === "inbox" ? "" : "warn"}>left out</Badge> {named(lost, count)},{" "}
                  {visibleText(REASONS[reason] ?? reason)}
                </div>
              ))}
              {notes.map((note) => (
                <div key={note} class="dim">
                  {visibleText(note)}
                </div>
              ))}
            </td>
          </tr>
        ))}
      </Table>
    </Section>
  );
}

/** The ids of messages mean nothing to a person, so messages are counted. */
function named(names: readonly string[], count: number): string {
  if (names.length === 0) return String(count);
  if (names.every((name) => name.startsWith("msg_"))) return countOf(count, "message");
  return `${visibleText(names.join(", "))}${count > names.length ? ` and ${count - names.length} more` : ""}`;
}
