import { formatSpace } from "../../output/format-space.ts";
import { plainText } from "../../screen/span.ts";
import { currentPane, type ChatState } from "../model/chat-state.ts";
import { keysOf } from "../model/decision.ts";
import { commandFor, decisionLines } from "./decision-lines.ts";
import { itemLines } from "./item-lines.ts";

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
  const seen = new Set(before.decisions.map(({ id }) => id));
  for (const decision of after.decisions) {
    if (seen.has(decision.id)) continue;
    const shown = decisionLines(decision, { columns: COLUMNS, active: false, elsewhere: decision.space !== space });
    lines.push(...shown.map(plainText).filter((each) => each !== ""));
    lines.push(
      `To decide, type ${commandFor(decision)}.${decision.kind === "ballot" ? ` Options: ${keysOf(decision)}` : ""}`,
    );
  }
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
