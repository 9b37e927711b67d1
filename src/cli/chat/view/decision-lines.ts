import type { AllowRuleView } from "../../../contract/approvals.ts";
import { callLines, diffLines } from "../../calls/call-lines.ts";
import { diffTexts } from "../../calls/line-diff.ts";
import { formatSpace } from "../../output/format-space.ts";
import { cutLine, line, nameStyle, span, type Line, type Span } from "../../screen/span.ts";
import { wrapLine } from "../../screen/wrap-line.ts";
import { keysOf, type WaitingDecision } from "../model/decision.ts";

export const RULE_KEYS = "y write this, and allow the call · n go back";

interface FocusedLook {
  readonly columns: number;
  /** As many as the pane has. */
  readonly rows: number;
  /** It belongs to another pane than the one it is in. */
  readonly elsewhere: boolean;
  /** The body is what `always` writes. */
  readonly isRule: boolean;
  /** How many others wait here. */
  readonly others: number;
}

/** The decision that is asked, as it fits a pane. */
export interface FocusedLines {
  readonly lines: Line[];
  /** Nothing of it is left out. */
  readonly whole: boolean;
}

/** The decision that is asked, with the keys that answer it: its beginning, when all of it does not fit. */
export function focusedLines(decision: WaitingDecision, body: readonly Line[], look: FocusedLook): FocusedLines {
  const { columns, rows, elsewhere, isRule, others } = look;
  const broken = (lines: readonly Line[]): Line[] => lines.flatMap((each) => wrapLine(each, columns - 2, 2));
  const more = others === 0 ? [] : [span(` · after it ${others} more`, "dim")];
  const title = broken([[...titleLine(decision, elsewhere), ...more]]);
  const keys = broken([line(span(`${isRule ? RULE_KEYS : keysOf(decision)} · then Enter · Esc later`, "chosen"))]);
  const all = broken(body);
  const room = rows - title.length - keys.length;
  const whole = all.length <= room;
  const shown = whole ? all : all.slice(0, Math.max(0, room - 1));
  const rest = whole ? [] : [line(span(`… ${all.length - shown.length} more lines: Enter shows all`, "warn"))];
  const bar: Span = span("┃ ", "warn");
  return { lines: [...title, ...shown, ...rest, ...keys].map((each): Line => [bar, ...each]), whole };
}

const MOST_FOLDED = 3;

/** The decisions that wait and are not asked now: a row each, and how to come to them. */
export function foldedLines(decisions: readonly WaitingDecision[], space: string, columns: number): Line[] {
  const [first] = decisions;
  if (first === undefined) return [];
  const titles = decisions.slice(0, MOST_FOLDED).map((decision) => {
    const about = bodyOf(decision)
      .slice(0, 2)
      .flatMap((each): Line => [span(" "), ...each]);
    return cutLine([...titleLine(decision, decision.space !== space), span(":"), ...about], columns - 2);
  });
  const how =
    decisions.length === 1
      ? `waits for you: Esc, or ${commandFor(first)}`
      : `${decisions.length} wait for you: Esc asks about them, one at a time`;
  const wrapped = wrapLine(line(span(how, "dim")), columns - 2, 2);
  const rows = [...titles, ...(wrapped.length > 2 ? [line(span("waits for you: Esc asks about it", "dim"))] : wrapped)];
  return rows.map((each): Line => [span("│ ", "dim"), ...each]);
}

/** A decision as it is printed, all of it. */
export function printedLines(decision: WaitingDecision, elsewhere: boolean): Line[] {
  return [titleLine(decision, elsewhere), ...bodyOf(decision)].map((each): Line => [span("┃ ", "warn"), ...each]);
}

export function titleLine(decision: WaitingDecision, elsewhere: boolean): Line {
  const place = elsewhere ? [span(` in ${formatSpace(decision.space)}`, "dim")] : [];
  return [...titleOf(decision), ...place];
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

export function bodyOf(decision: WaitingDecision): Line[] {
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
