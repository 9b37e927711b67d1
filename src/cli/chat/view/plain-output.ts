import { formatSpace } from "../../output/format-space.ts";
import { plainText } from "../../screen/span.ts";
import { currentPane, type ChatState } from "../model/chat-state.ts";
import { keysOf } from "../model/decision.ts";
import { finishedText, isFinished } from "../model/finished.ts";
import { commandFor, printedLines, RULE_KEYS, ruleLines } from "./decision-lines.ts";
import { itemLines } from "./item-lines.ts";
import { STOPPED } from "./status-text.ts";

const COLUMNS = 10_000;

/**
 * What a chat prints as plain lines, one after the other, for screen readers: everything that is new since the state
 * before. Nothing that was printed is changed.
 */
export function plainOutput(before: ChatState, after: ChatState): string[] {
  const lines: string[] = [];
  if (before.connection !== after.connection) lines.push(...connectionLines(before, after));
  const space = currentPane(after)?.space;
  if (space !== undefined && currentPane(before)?.space !== space) lines.push(`In ${formatSpace(space)}:`);
  for (const pane of after.panes) {
    const known = new Set(before.panes.find((each) => each.space === pane.space)?.items.map(({ key }) => key));
    const layout = { columns: COLUMNS, unfolded: false, names: new Set<string>() };
    for (const item of pane.items) {
      if (known.has(item.key)) continue;
      const shown = itemLines(item, layout).map(plainText);
      const place = pane.space === space ? "" : `${formatSpace(pane.space)}: `;
      lines.push(...shown.filter((each) => each !== "").map((each, at) => (at === 0 ? `${place}${each}` : each)));
    }
  }
  lines.push(...after.problems.filter((each) => !before.problems.includes(each)));
  const seen = new Set(before.decisions.map(({ id }) => id));
  for (const decision of after.decisions) {
    const isAsked = after.focus?.id === decision.id;
    // What is asked now is printed again: what was printed before it may be far up.
    if (seen.has(decision.id) && (!isAsked || before.focus?.id === decision.id)) continue;
    lines.push(...printedLines(decision, decision.space !== space).map(plainText));
    lines.push(`To decide, type ${isAsked ? `${keysOf(decision)}; or ` : ""}${commandFor(decision)}.`);
  }
  if (after.rule !== undefined && after.rule !== before.rule) {
    lines.push(...ruleLines(after.rule.view).map(plainText), `Type ${RULE_KEYS}.`);
  }
  for (const pane of after.panes) {
    const wasFinished = before.panes.some((each) => each.space === pane.space) && isFinished(before, pane.space);
    if (isFinished(after, pane.space) && !wasFinished) lines.push(finishedText(after, pane.space));
  }
  if (after.allStopped && !before.allStopped) lines.push(STOPPED);
  lines.push(...workLines(before, after));
  if (after.notice !== undefined && after.notice !== before.notice) lines.push(after.notice.text);
  if (after.page !== undefined && after.page !== before.page) {
    lines.push(after.page.title, ...after.page.lines.map(plainText));
  }
  return lines;
}

function connectionLines({ connection: was }: ChatState, { connection: is }: ChatState): string[] {
  if (is === "lost") return ["The daemon is gone; trying to reach it again. Sending a message starts it."];
  return is === "connected" && was === "lost" ? ["The daemon is there again."] : [];
}

/** Who has begun to work. */
function workLines(before: ChatState, after: ChatState): string[] {
  const runs = new Set(before.agents.flatMap(({ work }) => (work === null ? [] : [work.run])));
  return after.agents.flatMap(({ name, state, work }) =>
    work === null || state !== "running" || runs.has(work.run) ? [] : [`${name} begins to work.`],
  );
}
