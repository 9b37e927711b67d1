import type { ReachedLimit } from "../../../src/contract/text/reached-limit.ts";
import type { Daemon, DaemonResult } from "../connection/daemon.ts";

/** The file that sets a limit, before and after it is raised. */
export interface RaisedLimit {
  readonly file: string;
  readonly revision: string;
  readonly before: string;
  readonly after: string;
}

const AGENT_FIELDS = {
  turns: "runsPerDay",
  tokens: "tokensPerDay",
  dollars: "dollarsPerDay",
  time: "timePerRun",
  hops: "runsPerDay",
} as const;
const WORKFLOW_FIELDS = {
  turns: "turns",
  tokens: "tokens",
  dollars: "dollars",
  time: "wallTime",
  hops: "hops",
} as const;

/** Whether the page can raise it: the limits of chains of direct messages are those of the whole project. */
export function canRaise({ of }: ReachedLimit, space: string): boolean {
  return of === "agent" || space.startsWith("@");
}

/**
 * Returns how much of a limit is used: by an agent today (UTC), or by a workspace. Undefined where it is counted
 * otherwise, or is not known.
 */
export async function usedOf(
  daemon: Daemon,
  { of, name }: ReachedLimit,
  { agent, space }: { readonly agent: string; readonly space: string },
  today: string,
): Promise<number | undefined> {
  if (of === "chain" || name === "time" || name === "hops") return undefined;
  const shown = await daemon.call("show-usage", of === "agent" ? { target: agent, since: today } : { target: space });
  if (!shown.ok) return undefined;
  const { runs, tokens, cost } = shown.value.total;
  return { turns: runs, tokens: tokens.total, dollars: cost.knownUsd }[name];
}

/** Twice as much to begin with, and more than is used already: otherwise the work would stop again at once. */
export function raisedValue({ maximum }: ReachedLimit, used = 0): string {
  if (typeof maximum === "number") {
    const more = used + Math.max(maximum, used / 2);
    const raised = Math.max(maximum * 2, more);
    return String(Number.isInteger(maximum) && Number.isInteger(used) ? Math.ceil(raised) : Number(raised.toFixed(2)));
  }
  return maximum.replaceAll(/\d+(?:\.\d+)?/g, (number) => String(Number(number) * 2));
}

export function unitOf({ name }: ReachedLimit): string {
  return { turns: "runs", tokens: "tokens", dollars: "dollars", time: "of work", hops: "messages in a row" }[name];
}

export function draftRaised(
  daemon: Daemon,
  limit: ReachedLimit,
  { agent, space }: { readonly agent: string; readonly space: string },
  value: string,
): Promise<DaemonResult<RaisedLimit>> {
  const raised = limit.name === "time" ? value.trim() : Number(value);
  if (limit.of === "agent") {
    return daemon.call("draft-agent-file", { name: agent, fields: { [AGENT_FIELDS[limit.name]]: raised } });
  }
  const workflow = /^@([^:/~]+)/.exec(space)?.[1] ?? "";
  return daemon.call("draft-workflow-file", { name: workflow, fields: { [WORKFLOW_FIELDS[limit.name]]: raised } });
}
