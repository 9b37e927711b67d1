import { mailboxOf } from "../../domain/delivery/mailbox.ts";
import { SYSTEM } from "../../domain/message/message.ts";
import { findDefinition, type CurrentAgent } from "../../guard/identity/find-definition.ts";
import type { DefinitionProblem } from "../../ports/definitions.ts";
import type { DeliveryRecord } from "../../ports/store/delivery.ts";
import type { DefinitionSource } from "../../ports/store/run.ts";
import type { Execute } from "../core/define.ts";
import { spaceTarget } from "../core/space-target.ts";
import { makeDeadLetters } from "../dead-letters/dead-letter.ts";
import { postNotice } from "../messages/post-notice.ts";
import { objectionHere, pinWorktree } from "../nodes/place-run.ts";
import { endRun } from "./end-run.ts";
import { failRun, notifySenders } from "./fail-run.ts";
import { definitionUse, mistakeText, sourceOf, workflowOf } from "./run-agent.ts";

export type Readiness =
  | { readonly kind: "ready"; readonly agent: CurrentAgent; readonly source: DefinitionSource }
  /** Files changed and have to be read first. */
  | { readonly kind: "outdated" }
  /** Its file is broken, it was just removed, or it can do something that no person has seen. */
  | { readonly kind: "waits"; readonly until: number | null }
  /** It became a dead letter, or belongs to another mailbox: this one goes on with the next. */
  | { readonly kind: "settled" };

const LOOK_AGAIN_MS = 600;
const NEWS_MS = 10_000;
const MOST = 500;

/**
 * Finds the agent that is to answer a delivery, as its files say now. `refreshed`: they were read for this call. Work of
 * an agent that was removed becomes dead letters; work of one whose file is broken waits, and a notice says why.
 */
export async function findReadyAgent(ctx: Execute, delivery: DeliveryRecord, refreshed: boolean): Promise<Readiness> {
  const { definitions, trust } = ctx.services;
  const use = await definitionUse(ctx.store, delivery);
  if (!refreshed && !definitions.isCurrent(use)) return { kind: "outdated" };
  const found = findDefinition(definitions, use);
  if (found.kind !== "found" && !refreshed) return { kind: "outdated" };
  const here = { agent: delivery.agent, space: delivery.space };
  const definition = found.kind === "found" ? found.agent.definition : undefined;
  // Another node may have what is broken or missing here.
  if ((await objectionHere(ctx, { ...here, definition })) !== null) return { kind: "waits", until: null };
  if (found.kind === "broken") {
    await announceBroken(ctx, delivery, found.problem);
    return { kind: "waits", until: null };
  }
  if (found.kind === "removed") {
    if (definitions.vanishedLately(use) || isNews(ctx, delivery))
      return { kind: "waits", until: ctx.now + LOOK_AGAIN_MS };
    await failWithoutAgent(ctx, delivery, found.reason);
    return { kind: "settled" };
  }
  const { agent } = found;
  const mailbox = mailboxOf(delivery.agent, agent.ref, delivery.space);
  if (mailbox !== delivery.mailbox) {
    await readdress(ctx, delivery, mailbox);
    return { kind: "settled" };
  }
  if (trust.unseenOfAgent(agent.definition, workflowOf(delivery.space)).length > 0)
    return { kind: "waits", until: null };
  await pinWorktree(ctx, { ...here, definition });
  return { kind: "ready", agent, source: sourceOf(definitions, use, agent) };
}

/** Another node may have an agent since a moment ago: it says so with its next beat. */
function isNews({ services: { node }, now }: Execute, { enqueuedAt }: DeliveryRecord): boolean {
  return !node.alone && now - enqueuedAt < NEWS_MS;
}

/** Says once for each delivery why it waits. */
async function announceBroken(ctx: Execute, { id, agent, space }: DeliveryRecord, problem: DefinitionProblem) {
  const { file, line, column } = problem;
  const occasion = `broken ${id} ${file}:${line}:${column}`;
  if ((await ctx.store.messages.byIdempotencyKey(SYSTEM, occasion)) !== undefined) return;
  const text = `${agent} waits, because a file has a mistake. It goes on when the file is mended.\n${mistakeText(problem)}`;
  await postNotice(ctx, spaceTarget(space), ctx.services.redact(text), occasion);
}

/** Makes dead letters of everything that waits for an agent in a space. */
async function failWithoutAgent(ctx: Execute, delivery: DeliveryRecord, reason: string): Promise<void> {
  const { agent, mailbox, space } = delivery;
  const run = delivery.run === null ? undefined : await ctx.store.runs.byId(delivery.run);
  if (run !== undefined && run.state !== "ended") {
    await failRun(ctx, run, await ctx.store.deliveries.ofRun(run.id), reason);
    return;
  }
  const pending = await ctx.store.deliveries.pending({ mailbox, space, now: ctx.now, limit: MOST });
  const others = pending.filter((each) => each.id !== delivery.id && each.agent === agent && each.run === null);
  const deliveries = [delivery, ...others];
  await makeDeadLetters(ctx, deliveries, reason, "failed");
  await notifySenders(ctx, space, agent, deliveries, reason);
}

/** The workflow names another agent under this name now. What the earlier one had begun is not handed over. */
async function readdress(ctx: Execute, delivery: DeliveryRecord, mailbox: string): Promise<void> {
  const run = delivery.run === null ? undefined : await ctx.store.runs.byId(delivery.run);
  const isParked = run?.state === "parked";
  const deliveries = isParked ? await ctx.store.deliveries.ofRun(run.id) : [delivery];
  for (const { id } of deliveries) await ctx.store.deliveries.readdress(id, mailbox);
  if (isParked) await endRun(ctx, run, "stopped", `${delivery.agent} is another agent now.`);
  ctx.wake(mailbox);
}
