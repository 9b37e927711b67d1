import { callLines, callSummary } from "../../calls/call-lines.ts";
import { messageText } from "../../output/speech.ts";
import { cutLine, line, nameStyle, span, type Line } from "../../screen/span.ts";
import { wrapLine } from "../../screen/wrap-line.ts";
import type { FeedItem, LiveRun, SeenCall } from "../model/feed.ts";
import { markdownLines } from "./markdown-lines.ts";

/** How items are laid out. Equal layouts give equal lines. */
export interface FeedLayout {
  readonly columns: number;
  readonly unfolded: boolean;
  /** Names whose mentions are coloured. */
  readonly names: ReadonlySet<string>;
  /** The text that is searched for. */
  readonly find?: string | undefined;
}

const INDENT = 2;
const LONGEST_RESULT = 20;
const DIM_KINDS: ReadonlySet<string> = new Set(["notice", "grant", "revoke"]);

export function itemLines(item: FeedItem, layout: FeedLayout): Line[] {
  switch (item.kind) {
    case "message": {
      const { from, to, kind, at, seq } = item.message;
      const head = line(
        span(from, nameStyle(from)),
        span(`${to === null ? "" : ` to ${to}`}  ${timeOf(at)}  #${seq}`, "dim"),
      );
      const text = messageText({ hint: (command) => command }, { ...item.message, to: null });
      const body = DIM_KINDS.has(kind)
        ? noticeLines(text, layout.columns - INDENT)
        : markdownLines(text, layout.columns - INDENT, layout.names);
      return [head, ...body.map((each) => indented(marked(each, layout.find))), []];
    }
    case "calls":
      return [...callsLines(item.agent, item.calls, layout, NOT_MADE), []];
    case "note":
      return [
        ...item.text.split("\n").flatMap((each) => wrapLine([span(each, item.style)], layout.columns - INDENT)),
        [],
      ];
  }
}

/**
 * The lines of a notice, without those that say what to type in a shell to decide: that is decided in place. A call is
 * one line, because the decision shows all of it.
 */
function noticeLines(text: string, columns: number): Line[] {
  return text
    .split("\n")
    .filter((each) => !/^(Approve|Refuse) with: agent-worker /.test(each))
    .flatMap((each) => {
      const [, call, args] = /^(\S+ wants to run [^:]+): (.+)$/.exec(each) ?? [];
      if (call === undefined || args === undefined) return wrapLine([span(each, "dim")], columns);
      return [cutLine([span(`${call}: ${args.startsWith("{") ? callSummary(args) : args}`, "dim")], columns)];
    });
}

/** The words and calls of a run that has not said them as a message yet. */
export function liveLines({ agent, text, calls }: LiveRun, layout: FeedLayout): Line[] {
  const words = markdownLines(text, layout.columns - INDENT, layout.names);
  if (words.length === 0 && calls.length === 0) return [];
  return [
    ...(calls.length === 0 ? [] : callsLines(agent, calls, layout, AT_WORK)),
    ...(words.length === 0 ? [] : [line(span(agent, nameStyle(agent)), span("  …", "dim")), ...words.map(indented)]),
    [],
  ];
}

/** What is before a call without an answer: it is being made, or it never was, because the run ended or began again. */
const AT_WORK = "…";
const NOT_MADE = "–";

function callsLines(agent: string, calls: readonly SeenCall[], layout: FeedLayout, unanswered: string): Line[] {
  const width = layout.columns - INDENT;
  return calls.flatMap((call) => {
    const { tool, args, result } = call;
    const mark = result === undefined ? unanswered : result.isError ? "✗" : "✓";
    const style = result?.isError === true ? "bad" : "dim";
    if (layout.unfolded) {
      return [
        ...callLines(`${mark} ${agent}: ${tool}`, args).flatMap((each) => wrapLine(each, width, INDENT)),
        ...(result === undefined ? [] : resultLines(result.content, width)),
      ].map(indented);
    }
    const folded = [span(`${mark} ${agent}: ${tool} `, style), span(callSummary(args), style)];
    const refused = result?.isError === true ? [cutLine([span(`  ${result.content}`, "bad")], width)] : [];
    return [cutLine(folded, width), ...refused].map(indented);
  });
}

function resultLines(content: string, width: number): Line[] {
  const lines = content.trimEnd().split("\n");
  const shown = lines.slice(0, LONGEST_RESULT).map((each) => cutLine([span(`  ${each}`, "dim")], width));
  const more = lines.length - shown.length;
  return more > 0 ? [...shown, [span(`  … ${more} more lines`, "dim")]] : shown;
}

function indented(spans: Line): Line {
  return [{ text: " ".repeat(INDENT), style: "plain" }, ...spans];
}

/** Marks the searched text. */
function marked(spans: Line, find: string | undefined): Line {
  if (find === undefined || find === "") return spans;
  return spans.flatMap(({ text, style }) => {
    const parts = [];
    let end = 0;
    const lower = text.toLowerCase();
    for (let at = lower.indexOf(find.toLowerCase()); at !== -1; at = lower.indexOf(find.toLowerCase(), end)) {
      if (at > end) parts.push({ text: text.slice(end, at), style });
      parts.push({ text: text.slice(at, at + find.length), style: "chosen" as const });
      end = at + find.length;
    }
    if (end < text.length || parts.length === 0) parts.push({ text: text.slice(end), style });
    return parts;
  });
}

function timeOf(at: string): string {
  const moment = new Date(at);
  return `${String(moment.getHours()).padStart(2, "0")}:${String(moment.getMinutes()).padStart(2, "0")}`;
}
