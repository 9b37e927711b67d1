import type { AllowRuleView } from "../../../contract/approvals.ts";
import { callLines, diffLines } from "../../calls/call-lines.ts";
import { diffTexts } from "../../calls/line-diff.ts";
import { formatSpace } from "../../output/format-space.ts";
import { line, nameStyle, span, type Line, type Span } from "../../screen/span.ts";
import { wrapLine } from "../../screen/wrap-line.ts";
import { keysOf, type WaitingDecision } from "../model/decision.ts";

const LONGEST_BODY = 40;
export const RULE_KEYS = "y write this, and allow the call · n go back";

interface DecisionLook {
  readonly columns: number;
  /** Keys decide it now, or when Esc comes back to it; in a chat of plain lines they are typed. */
  readonly keys: "pressed" | "later" | "typed";
  /** It belongs to another pane than the one it is in. */
  readonly elsewhere: boolean;
  /** What `always` writes, where the person asked for it. */
  readonly rule?: AllowRuleView;
}

/** A decision in its place, with the keys that decide it. */
export function decisionLines(decision: WaitingDecision, { columns, keys, elsewhere, rule }: DecisionLook): Line[] {
  const bar: Span = span("┃ ", "warn");
  const place = elsewhere ? [span(` in ${formatSpace(decision.space)}`, "dim")] : [];
  const body = rule === undefined ? bodyOf(decision) : ruleLines(rule);
  const shown = body.slice(0, LONGEST_BODY);
  const more = body.length - shown.length;
  return [
    [...titleOf(decision), ...place],
    ...shown,
    ...(more > 0 ? [[span(`… ${more} more lines`, "dim")]] : []),
    ...(keys === "typed" ? [] : [keysLine(decision, keys === "pressed", rule !== undefined)]),
  ]
    .flatMap((each) => wrapLine(each, columns - 2, 2))
    .map((each): Line => [bar, ...each])
    .concat([[]]);
}

function keysLine(decision: WaitingDecision, isPressed: boolean, hasRule: boolean): Line {
  if (!isPressed) return line(span(`waits for you: Esc, or ${commandFor(decision)}`, "dim"));
  return line(span(hasRule ? RULE_KEYS : `${keysOf(decision)} · Esc later`, "chosen"));
}

function titleOf(decision: WaitingDecision): Line {
  switch (decision.kind) {
    case "approval": {
      const { agent } = decision.view;
      return line(span(agent, nameStyle(agent)), " asks to call a tool");
    }
    case "ballot":
      return line(
        span(decision.view.creator, nameStyle(decision.view.creator)),
        " asks you to vote: ",
        span(decision.view.title, "bold"),
      );
    case "suggestion": {
      const { author, file, note } = decision.view;
      return line(span(author, nameStyle(author)), ` suggests to change ${file}${note === null ? "" : `: ${note}`}`);
    }
    case "dead": {
      const { agent, attempts, reason } = decision.view;
      return line(
        "Could not be answered by ",
        span(agent, nameStyle(agent)),
        ` after ${attempts} attempts: ${reason ?? ""}`,
      );
    }
  }
}

function bodyOf(decision: WaitingDecision): Line[] {
  switch (decision.kind) {
    case "approval":
      return callLines(decision.view.tool, decision.view.args);
    case "ballot":
      return decision.view.options.map(({ label, votes, follows }, at) =>
        line(`${at + 1} ${label}`, span(`  ${votes} votes${follows === null ? "" : `, then: ${follows}`}`, "dim")),
      );
    case "suggestion": {
      const { way, content } = decision.view;
      return diffLines(diffTexts(decision.current, way === "replace" ? content : `${decision.current}${content}`));
    }
    case "dead":
      return decision.view.message.content.split("\n").map((each) => line(span(each, "dim")));
  }
}

/** The change of the agent's file that `always` makes. */
export function ruleLines({ file, before, after }: AllowRuleView): Line[] {
  return [line(`Always: ${file} gets a rule.`), ...diffLines(diffTexts(before, after))];
}

/** What a person types to decide later. */
export function commandFor({ kind, id }: WaitingDecision): string {
  if (kind === "ballot") return `/vote ${id} OPTION`;
  return `/approve ${id} or /deny ${id}`;
}
