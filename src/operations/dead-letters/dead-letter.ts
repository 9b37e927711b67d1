import type { z } from "zod";
import type { deadLetterInput, deadLetterOutput } from "../../contract/dead-letters.ts";
import { transition, type DeadOutcome } from "../../domain/delivery/state.ts";
import { parseSpace } from "../../domain/message/space.ts";
import { checkRunning } from "../../domain/workspace/participation.ts";
import { refuse, type Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import type { DeliveryRecord } from "../../ports/store/delivery.ts";
import { isExpectedSpace } from "../core/caller-space.ts";
import type { Execute } from "../core/define.ts";
import { wakeAgent } from "../core/wake-agent.ts";
import { findRunAgent, missingText } from "../runs/run-agent.ts";

/** Makes dead letters of deliveries. The caller must also post a notice with the reason. */
export async function makeDeadLetters(
  ctx: Execute,
  deliveries: readonly Pick<DeliveryRecord, "id" | "state" | "leaseOwner" | "space" | "agent">[],
  reason: string,
  outcome: DeadOutcome,
): Promise<void> {
  for (const { id, state, leaseOwner, space, agent } of deliveries) {
    const dead = transition(state, { kind: "exhaust", reason, outcome });
    if (!dead.ok) throw new Error(`${id}: ${dead.error.message}`);
    await ctx.store.deliveries.advance(
      id,
      { status: state.status, leaseOwner },
      { state: dead.value, leaseOwner: null, run: null },
    );
    await ctx.emit({ type: "delivery.dead", space, agent, delivery: id });
  }
}

export async function findDeadLetter(
  ctx: Execute,
  { id, target }: z.output<typeof deadLetterInput>,
): Promise<Result<DeliveryRecord, Refusal>> {
  const [delivery] = await ctx.store.deliveries.byIds([id]);
  const hint = "Take the id from: agent-worker dead list";
  if (delivery === undefined || !isExpectedSpace(delivery.space, target, ctx.caller)) {
    return refuse("not_found", `There is no dead letter "${id.slice(0, 64)}".`, { hint });
  }
  if (delivery.state.status === "dead") return ok(delivery);
  return refuse("conflict", `The delivery "${id}" is ${delivery.state.status}, not dead.`, { hint });
}

export async function settleDeadLetter(
  ctx: Execute,
  delivery: DeliveryRecord,
  kind: "revive" | "drop",
): Promise<Result<z.output<typeof deadLetterOutput>, Refusal>> {
  const { id, leaseOwner, run, space, agent } = delivery;
  const next = transition(delivery.state, { kind });
  if (!next.ok) return next;
  const from = { status: delivery.state.status, leaseOwner };
  await ctx.store.deliveries.advance(id, from, {
    state: next.value,
    leaseOwner: null,
    run: kind === "drop" ? run : null,
  });
  const type = kind === "drop" ? "delivery.dropped" : "delivery.revived";
  await ctx.emit({ type, space, agent, delivery: id });
  return ok({ id, agent, space });
}

/**
 * Delivers a dead letter once more. Refused where nobody could answer: in a workspace that is closed, for an agent that
 * has no usable file, and what was said to an earlier agent of the same name.
 */
export async function reviveDeadLetter(
  ctx: Execute,
  delivery: DeliveryRecord,
): Promise<Result<z.output<typeof deadLetterOutput>, Refusal>> {
  const space = parseSpace(delivery.space);
  if (!space.ok) return space;
  if (space.value.kind === "workspace") {
    const status = await ctx.store.workspaces.status(delivery.space);
    const running = checkRunning({ ...space.value, running: status?.state === "open", participants: [] });
    if (!running.ok) return running;
  }
  const agent = await findRunAgent(ctx.store, ctx.services.definitions, delivery);
  if (agent.kind !== "found") {
    return refuse("not_found", `${delivery.agent} cannot answer it. ${missingText(agent)}`, {
      hint: `Mend that first, or give it up: agent-worker dead drop ${delivery.id}`,
    });
  }
  if (!(await isInConversation(ctx, delivery))) {
    return refuse("not_found", `It was for an earlier agent called ${delivery.agent}, which was deleted.`, {
      hint: `Give it up with: agent-worker dead drop ${delivery.id}`,
    });
  }
  await wakeAgent(ctx, delivery.mailbox);
  return settleDeadLetter(ctx, delivery, "revive");
}

/** A page of a space holds nothing from before its conversation began. */
async function isInConversation({ store }: Execute, { message: id, space }: DeliveryRecord): Promise<boolean> {
  const message = await store.messages.byId(id);
  if (message === undefined) return false;
  const [found] = await store.messages.page({ space, after: message.seq - 1, limit: 1 });
  return found?.id === id;
}
