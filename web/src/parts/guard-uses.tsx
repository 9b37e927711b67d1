import type { GuardUseView } from "../../../src/contract/usage.ts";
import { costText } from "../text/figures.ts";
import { duration } from "../text/time.ts";
import { visibleText } from "../text/visible-text.ts";
import { Badge, Section } from "./elements.tsx";

/** What the guard asked its model for a run. */
export function GuardUses({ uses }: { readonly uses: readonly GuardUseView[] }) {
  return (
    <Section title="Asked by the guard">
      <ul>
        {uses.map(({ purpose, model, outcome, reason, wallTimeMs, inputTokens, outputTokens, cost }, index) => (
          <li key={index}>
            {purpose} <span class="dim">with {model}</span>{" "}
            {outcome === "answered" ? null : <Badge kind="bad">{outcome}: decided by rules</Badge>}
            <span class="dim">
              {" "}
              {inputTokens} tokens in, {outputTokens} out, {duration(wallTimeMs)}, cost{" "}
              {costText({ basis: "estimated", usd: cost.usd, knownUsd: 0, unknownSteps: 0 })}
            </span>
            {reason === null ? null : <p class="dim">{visibleText(reason)}</p>}
          </li>
        ))}
      </ul>
    </Section>
  );
}
