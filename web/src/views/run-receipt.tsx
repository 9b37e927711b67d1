import type { RunReceiptView } from "../../../src/contract/run.ts";
import { visibleText } from "../text/visible-text.ts";
import { Badge, OutsideMark, Section, Table } from "./parts.tsx";

/** What a run was given to read, part by part, and what there was no room for. */
export function RunReceipt({ receipt }: { readonly receipt: RunReceiptView }) {
  const { tokens, budget, overBudget, parts, heard, outside } = receipt;
  return (
    <Section title="Given">
      <p class="dim">
        About {tokens.toLocaleString("en")} of {budget.toLocaleString("en")} tokens
        {heard === undefined ? "" : `, words of ${visibleText(heard.join(", ")) || "nobody"}`}{" "}
        {outside === true ? <OutsideMark /> : null} {overBudget ? <Badge kind="warn">over its budget</Badge> : null}
      </p>
      <Table columns={["Part", "Tokens", "What", "Left out"]} numbers={["Tokens"]}>
        {parts.map(({ part, place, tokens: cost, items, names, leftOut }) => (
          <tr key={`${place} ${part}`}>
            <th scope="row">{visibleText(part)}</th>
            <td class="number">{cost.toLocaleString("en")}</td>
            <td class="wide-cell dim">
              {names.length === 0 ? (items > 1 ? items : "") : visibleText(names.join(", "))}
              {names.length > 0 && items > names.length ? ` and ${items - names.length} more` : ""}
            </td>
            <td class="wide-cell">
              {leftOut.map((each) => (
                <div key={each.reason}>
                  {each.count}, {visibleText(each.reason)}
                  {each.names.length === 0 ? "" : `: ${visibleText(each.names.join(", "))}`}
                </div>
              ))}
            </td>
          </tr>
        ))}
      </Table>
    </Section>
  );
}
