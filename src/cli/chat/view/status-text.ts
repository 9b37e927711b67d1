import { formatSpace } from "../../output/format-space.ts";
import { costText, tokenText } from "../../output/usage-text.ts";
import { line, nameStyle, span, type Line, type Span } from "../../screen/span.ts";
import type { ChatState } from "../model/chat-state.ts";

const LONGEST_MESSAGE = 40;
/** Short enough for 80 columns. */
export const STOPPED = "All work is stopped, by stop --all. Your next message or /start goes on.";

/** Who works on what: seconds, tokens and cost of each run, and who waits for what. */
export function statusLine(state: ChatState): Line {
  const { connection, agents, runs, now, allStopped } = state;
  if (connection === "connecting") return line(span("Connecting to the daemon …", "dim"));
  if (connection === "lost") {
    return line(span("The daemon is gone; trying to reach it again. Sending a message starts it.", "bad"));
  }
  const parts: Span[][] = agents.flatMap(({ name, state: does, work, until }) => {
    if (work === null || (does !== "running" && does !== "waiting" && does !== "parked")) return [];
    const run = runs.find(({ id }) => id === work.run);
    const seconds = Math.max(0, Math.round((now - Date.parse(work.since)) / 1000));
    const where = work.space.startsWith("@") && !name.includes("@") ? ` in ${formatSpace(work.space)}` : "";
    const used =
      run === undefined || run.usage.tokens.total === 0
        ? []
        : [
            `${tokenText(run.usage.tokens.total)} tokens`,
            ...(run.usage.cost.usd === null ? [] : [costText(run.usage.cost)]),
          ];
    const what =
      does === "running" ? `works on ${quoted(work.message)}` : does === "waiting" ? "waits for you" : waits(until);
    return [[span(name, nameStyle(name)), span(`${where} ${[what, `${seconds} s`, ...used].join(", ")}`, "dim")]];
  });
  if (parts.length === 0 && allStopped) return line(span(STOPPED, "warn"));
  if (parts.length === 0) return line(span("Nobody is at work.", "dim"));
  return parts.flatMap((part, at) => (at === 0 ? part : [span(" · ", "dim"), ...part]));
}

function quoted(message: string | null): string {
  if (message === null) return "a message";
  const text = message.replace(/\s+/g, " ").trim();
  return `"${text.length > LONGEST_MESSAGE ? `${text.slice(0, LONGEST_MESSAGE - 1)}…` : text}"`;
}

function waits(until: string | null): string {
  return until === null ? "waits for its turn" : `waits until ${new Date(until).toTimeString().slice(0, 5)}`;
}
