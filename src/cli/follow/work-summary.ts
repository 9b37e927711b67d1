import type { RequestResult } from "../../contract/service/work-request.ts";
import { countOf } from "../output/count-of.ts";
import { formatSpace } from "../output/format-space.ts";
import { moneyText, tokenText } from "../output/usage-text.ts";

/** What is known when a work request has ended, besides its result. */
export interface WorkSummary {
  readonly result: Pick<
    RequestResult,
    "outcome" | "success" | "space" | "participants" | "usage" | "failed" | "incomplete"
  >;
  readonly wallTimeMs: number;
  /** Files that tools changed, with lines added and removed. */
  readonly files: ReadonlyMap<string, { readonly added: number; readonly removed: number }>;
  /** Documents that were written meanwhile. */
  readonly documents: readonly string[];
  /** What waits for the person there. */
  readonly open: {
    readonly approvals: number;
    readonly ballots: number;
    readonly suggestions: number;
    readonly dead: number;
  };
  /** The workspace can be written to; true for direct messages. */
  readonly isOpen: boolean;
}

const OUTCOMES: Readonly<Record<string, string>> = {
  answered: "Answered",
  silent: "Done, without an answer",
  parked: "Waits",
  incomplete: "Incomplete",
  stopped: "Stopped",
  nobody_woken: "Nobody was woken",
  failed: "Failed",
};
const MOST_FILES = 8;

/** The end of a request for a person at a terminal: what came out of it, what it used, what is left, what to type. */
export function workSummaryText(end: WorkSummary): string {
  const { result, wallTimeMs, files, documents, open, isOpen } = end;
  const { outcome, space, participants, usage } = result;
  const place = formatSpace(space);
  const left = [
    ...(open.approvals === 0 ? [] : [`${countOf(open.approvals, "tool call")} to decide: agent-worker pending`]),
    ...(open.ballots === 0 ? [] : [`${countOf(open.ballots, "ballot")}: agent-worker proposal list ${place}`]),
    ...(open.suggestions === 0
      ? []
      : [`${countOf(open.suggestions, "suggestion")}: agent-worker doc suggestions ${place}`]),
    ...(open.dead === 0 ? [] : [`${countOf(open.dead, "dead letter")}: agent-worker dead list ${place}`]),
  ];
  return [
    `${OUTCOMES[outcome ?? ""] ?? "Started"} in ${durationText(wallTimeMs)}.${usageText(usage)} ${participants.join(", ")}.`,
    ...(files.size === 0 ? [] : [`Files changed: ${filesText(files)}`]),
    ...documents.slice(0, MOST_FILES).map((file) => `Document ${file}: agent-worker doc read ${place} ${file}`),
    ...left.map((each) => `Left open: ${each}`),
    isOpen ? `Go on with: agent-worker chat ${place}` : `Read it again with: agent-worker peek ${place}`,
    "",
  ].join("\n");
}

function usageText({ inputTokens, outputTokens, costUsd, costEstimated }: RequestResult["usage"]): string {
  const tokens = inputTokens === null && outputTokens === null ? null : (inputTokens ?? 0) + (outputTokens ?? 0);
  const cost = costUsd === null ? "cost unknown" : moneyText(costUsd, costEstimated);
  // No step was finished: what a refused call has used is not known.
  if (tokens === 0 && costUsd === 0) return "";
  return ` ${tokenText(tokens)} tokens, ${cost}.`;
}

function filesText(files: WorkSummary["files"]): string {
  const shown = [...files].slice(0, MOST_FILES).map(([file, { added, removed }]) => `${file} +${added} -${removed}`);
  const more = files.size - shown.length;
  return [...shown, ...(more > 0 ? [`and ${more} more`] : [])].join(", ");
}

/** `4 s`, `2 min 5 s`. */
function durationText(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return ms < 10_000 ? `${(ms / 1000).toFixed(1)} s` : `${seconds} s`;
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
