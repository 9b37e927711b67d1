import type { BallotConsequence } from "../../domain/ballot/ballot.ts";
import { SYSTEM } from "../../domain/message/message.ts";
import type { BallotRecord } from "../../ports/store/ballot.ts";
import { callerName } from "../core/access.ts";
import type { Execute } from "../core/define.ts";
import { spaceTarget } from "../core/space-target.ts";
import { postMessage } from "../messages/post-message.ts";
import { postNotice } from "../messages/post-notice.ts";
import { closesWorkspace, concernedBy } from "./consequence-text.ts";

/**
 * Says how a ballot ended. It wakes who opened the ballot and those whom its consequence is about, each once. It does not
 * wake who ended it: the answer to that call says the same.
 */
export async function announceOutcome(
  ctx: Execute,
  ballot: BallotRecord,
  text: string,
  then?: BallotConsequence,
): Promise<void> {
  const target = spaceTarget(ballot.space);
  const calls = await wokenBy(ctx, ballot, then);
  const posted =
    calls.length > 0 &&
    (await postMessage(ctx, {
      target,
      sender: SYSTEM,
      kind: "message",
      body: `${text}\nThis is for ${calls.map((name) => `@${name}`).join(", ")}.`,
      calls,
      cause: ballot.announcement,
    }));
  if (posted === false || !posted.ok) await postNotice(ctx, target, text);
}

async function wokenBy(ctx: Execute, ballot: BallotRecord, then: BallotConsequence | undefined): Promise<string[]> {
  // A workspace that closes wakes nobody, and one that is being started goes on with its kickoff.
  if (then !== undefined && closesWorkspace(then)) return [];
  const start = await ctx.store.instances.bySpace(ballot.space);
  if (start !== undefined && start.phase !== "started") return [];
  const ender = callerName(ctx.caller);
  const names = new Set([ballot.terms.creator, then === undefined ? undefined : concernedBy(then)]);
  const roster = await ctx.store.workspaces.roster(ballot.space);
  return roster.map(({ agent }) => agent).filter((agent) => names.has(agent) && agent !== ender);
}
