import { formatSpace } from "../../output/format-space.ts";
import { textWidth } from "../../screen/text-width.ts";
import type { Frame } from "../../screen/frame.ts";
import { cutLine, fillLine, line, span, type Line, type Span } from "../../screen/span.ts";
import { completionsOf } from "../model/completion.ts";
import { currentPane, type ChatState } from "../model/chat-state.ts";
import { answerOf, meaningOf } from "../model/decision.ts";
import { decisionsOf, focusedDecision } from "../model/focus.ts";
import { paneArea, type PaneArea } from "./pane-area.ts";
import { paneFeed } from "./pane-feed.ts";
import { feedWindow } from "./feed-layout.ts";
import { nobodyText, problemLines } from "./problem-lines.ts";
import { pageRows } from "./page-rows.ts";
import { statusLine } from "./status-text.ts";

const PROMPT = "> ";
const SHORT_KEYS = "Enter send · Tab complete, next pane · PgUp history · /help · Ctrl-D quit";
const KEYS =
  "Enter send · Alt-Enter new line · Tab complete, next pane · PgUp history · Ctrl-F search · /help · Ctrl-D quit";

/** The whole screen: exactly as many lines as it has rows. */
export function chatFrame(state: ChatState): Frame {
  const area = paneArea(state);
  const { columns, rows } = state.size;
  const input = inputLines(state, area);
  const body = state.page === undefined ? panesLines(state, area) : pageLines(state.page, columns, area.rows);
  const lines = [headLine(state), ...body, statusLine(state), ...input.lines, lastLine(state)]
    .slice(0, rows)
    .map((each) => cutLine(each, columns));
  return state.page === undefined
    ? { lines, cursor: { row: area.rows + 2 + input.row, column: input.column } }
    : { lines };
}

function headLine(state: ChatState): Line {
  const { panes, current, project } = state;
  const tabs = panes.flatMap((pane, at): Span[] => {
    const waiting = at !== current && decisionsOf(state, pane).length > 0 ? "!" : "";
    const unread = at !== current && pane.unread > 0 ? ` (${pane.unread})` : "";
    const text = ` ${at + 1} ${formatSpace(pane.space)}${unread}${waiting} `;
    return [span(text, at === current ? "chosen" : waiting === "" ? "plain" : "warn"), span(" ")];
  });
  return [span("agent-worker ", "bold"), span(`${project}  `, "dim"), ...tabs];
}

function panesLines(state: ChatState, { shown, columns, rows }: PaneArea): Line[] {
  if (shown.length === 0) {
    return filled([...problemLines(state.problems, state.size.columns), line(span(emptyText(state), "dim"))], rows);
  }
  const windows = shown.map((index) => {
    const pane = state.panes[index];
    if (pane === undefined) return filled([], rows);
    const lines = feedWindow(paneFeed(state, pane, columns), pane.anchor, rows);
    if (lines.length === 0 && pane.loaded) {
      return filled([line(span(`Nothing was said in ${formatSpace(pane.space)} yet.`, "dim"))], rows);
    }
    // The newest line is at the bottom.
    return [...filled([], rows - lines.length), ...lines];
  });
  if (windows.length === 1) return windows[0] ?? [];
  return Array.from({ length: rows }, (_, row) =>
    windows.flatMap((window, at): Line => {
      const border: Line = at === 0 ? [] : [span("│", "dim")];
      return [...border, ...fillLine(window[row] ?? [], columns)];
    }),
  );
}

function emptyText({ connection, agents, workspaces, problems }: ChatState): string {
  if (connection === "connecting") return "";
  if (agents.length + workspaces.length === 0) return nobodyText(problems);
  return "Open somebody with /open NAME, or a workspace with /open @NAME.";
}

function pageLines(page: NonNullable<ChatState["page"]>, columns: number, rows: number): Line[] {
  const { title, top } = page;
  const lines = pageRows(page, columns);
  const shown = lines.slice(top, top + rows - 2);
  const more = lines.length - top - shown.length;
  const atEnd = page.asks === undefined ? "Esc closes" : "This is its end: answer it, or Esc closes";
  const end = more > 0 ? `${more} more lines: PgDn · Esc closes` : atEnd;
  return [fillLine(line(span(` ${title} `, "chosen")), columns), ...filled(shown, rows - 2), line(span(end, "dim"))];
}

function filled(lines: readonly Line[], rows: number): Line[] {
  return [...lines.slice(0, rows), ...Array.from({ length: Math.max(0, rows - lines.length) }, () => [])];
}

/** The input with the caret in view, and its place on the screen. */
function inputLines(state: ChatState, { inputRows }: PaneArea): { lines: Line[]; row: number; column: number } {
  const pane = currentPane(state);
  const label = state.asksSearch ? "search: " : PROMPT;
  const { text, caret } = pane?.draft ?? { text: "", caret: 0 };
  const lines = text.split("\n");
  const before = text.slice(0, caret).split("\n");
  const row = before.length - 1;
  const first = Math.max(0, Math.min(row - inputRows + 1 + (row < lines.length - 1 ? 1 : 0), lines.length - inputRows));
  const width = state.size.columns - label.length - 1;
  const caretText = before.at(-1) ?? "";
  const shift = scrolled(caretText, width);
  const shown = lines.slice(first, first + inputRows).map((each, at): Line => {
    const part = first + at === row ? each.slice(shift) : each;
    const mark = at === 0 && first === 0 ? span(label, "bold") : span(" ".repeat(label.length));
    return [mark, span(part)];
  });
  return { lines: shown, row: row - first, column: label.length + textWidth(span(caretText.slice(shift)).text) };
}

/** How many characters of a long line are left out at its beginning, so that the caret is seen. */
function scrolled(beforeCaret: string, width: number): number {
  let shift = 0;
  while (textWidth(beforeCaret.slice(shift)) > width) shift += 1;
  return shift;
}

/** What Enter would decide with what is in the input. */
function meantAnswer(state: ChatState): string | undefined {
  const decision = focusedDecision(state);
  if (decision === undefined || state.asksSearch) return undefined;
  const answer = answerOf(decision, (currentPane(state)?.draft.text ?? "").trim().toLowerCase());
  if (answer === undefined) return undefined;
  if (state.rule?.id !== decision.id) return meaningOf(decision, answer);
  return answer === "no" ? "goes back" : "writes the rule and allows the call";
}

/** Completions, what just happened, or the keys. */
function lastLine(state: ChatState): Line {
  const { notice, search, completion, ending } = state;
  if (ending) return line(span("Once more Ctrl-C ends the chat; the work goes on. Stop an agent with /stop.", "warn"));
  const offered = completionsOf(state);
  if (offered !== undefined && offered.words.length > 0) {
    return offered.words.flatMap((word, at): Line => [
      span(word, at === completion % offered.words.length ? "chosen" : "plain"),
      span("  "),
    ]);
  }
  if (notice !== undefined) return line(span(notice.text, notice.style));
  const meant = meantAnswer(state);
  if (meant !== undefined) return line(span(`Enter ${meant}. Go on typing: a message.`, "warn"));
  if (search !== undefined) {
    if (search.found === undefined) return line(span(`Looking for "${search.text}" …`, "dim"));
    if (search.found.length === 0) return line(span(`Nothing contains "${search.text}". Esc ends the search.`, "warn"));
    return line(
      span(
        `${search.at + 1} of ${search.found.length} with "${search.text}": Ctrl-F earlier, Ctrl-G later, Esc ends`,
        "good",
      ),
    );
  }
  return line(span(state.size.columns < KEYS.length ? SHORT_KEYS : KEYS, "dim"));
}
