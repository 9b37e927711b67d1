import type { SuggestionView } from "../../contract/documents.ts";
import { SYSTEM } from "../../domain/message/message.ts";
import { parseSpace } from "../../domain/message/space.ts";
import type { Target } from "../../domain/message/target.ts";
import type { Caller } from "../../kernel/caller.ts";
import { refuse, type Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import type { StoreReads } from "../../ports/store/store.ts";
import type { SuggestionRecord } from "../../ports/store/suggestion.ts";
import { callerName } from "../core/access.ts";
import { isExpectedSpace } from "../core/caller-space.ts";
import type { Execute } from "../core/define.ts";
import { postMessage } from "../messages/post-message.ts";
import { postNotice } from "../messages/post-notice.ts";
import { toSuggestionView } from "./view.ts";

/** Returns an open suggestion by its id: see `isExpectedSpace`. */
export async function findSuggestion(
  store: StoreReads,
  { id, target }: { readonly id: string; readonly target?: string | undefined },
  caller: Caller,
): Promise<Result<SuggestionRecord, Refusal>> {
  const suggestion = await store.suggestions.byId(id);
  const hint = "Take the id from: agent-worker doc suggestions @WORKFLOW";
  if (suggestion === undefined || !isExpectedSpace(suggestion.space, target, caller)) {
    return refuse("not_found", `There is no suggestion "${id.slice(0, 64)}".`, { hint });
  }
  if (suggestion.state === "open") return ok(suggestion);
  return refuse("conflict", `"${id}" was ${suggestion.state} by ${suggestion.decidedBy} already.`, {
    hint,
    details: { state: suggestion.state },
  });
}

export async function decideSuggestion(
  ctx: Execute,
  suggestion: SuggestionRecord,
  state: "accepted" | "rejected",
  reason: string | null,
): Promise<SuggestionView> {
  const by = callerName(ctx.caller);
  const decision = { state, decidedBy: by, reason, decidedAt: ctx.now };
  await ctx.store.suggestions.decide(suggestion.id, decision);
  await ctx.emit({ type: "suggestion.decided", space: suggestion.space, suggestion: suggestion.id, state, by });
  const why = reason === null ? "" : ` ${reason}`;
  await notifyParticipant(
    ctx,
    suggestion.space,
    suggestion.author,
    `Your suggestion for ${suggestion.file} was ${state}.${why}`,
  );
  return toSuggestionView({ ...suggestion, ...decision });
}

/** Sends a message to another participant. Otherwise, and for the system, it posts a notice, which wakes no agent. */
export async function notifyParticipant(ctx: Execute, space: string, to: string | null, body: string): Promise<void> {
  const place = parseSpace(space);
  if (!place.ok || place.value.kind === "dm") return;
  const from = callerName(ctx.caller);
  const isMember = to !== null && (await ctx.store.workspaces.member(space, to)) !== undefined;
  const channel: Target = { ...place.value, kind: "channel" };
  if (!isMember || to === from || from === SYSTEM) return postNotice(ctx, channel, body);
  const cause = ctx.caller.kind === "agent" ? ctx.caller.cause : null;
  const run = ctx.caller.kind === "agent" ? ctx.caller.run : null;
  // The body may quote others: it wakes its recipient only.
  await postMessage(ctx, {
    target: { ...place.value, kind: "agent", agent: to },
    sender: from,
    kind: "message",
    body,
    calls: [],
    cause,
    run,
  });
}
