import * as contract from "../../contract/inbox.ts";
import type { WaitingRun } from "../../contract/runs.ts";
import { compareLanes } from "../../domain/delivery/lane.ts";
import { mailboxOf } from "../../domain/delivery/mailbox.ts";
import { formatSpace } from "../../domain/message/space.ts";
import { parseTarget } from "../../domain/message/target.ts";
import type { Caller } from "../../kernel/caller.ts";
import { refuse, type Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import type { DeliveryWithMessage } from "../../ports/store/delivery.ts";
import type { StoreReads } from "../../ports/store/store.ts";
import { everyone } from "../core/access.ts";
import { query, type Read } from "../core/define.ts";
import { readUnfinishedRuns } from "../runs/waiting-runs.ts";
import { readTroubles } from "../troubles/read-troubles.ts";
import { toDeliveryView } from "./view.ts";

/** Returns the open deliveries of an agent. Acknowledges nothing. */
export const readInbox = query(contract.readInbox, {
  access: everyone,

  async execute(data, ctx) {
    const owner = inboxOwner(data.target, ctx.caller);
    if (!owner.ok) return owner;
    const { agent, space } = owner.value;
    const deliveries = await ctx.read((store) => openDeliveries(store, agent, space, data.limit));
    const shown = deliveries.toSorted(byLane).slice(0, data.limit);
    const trouble = ctx.caller.kind === "agent" ? { waits: [], rests: false } : await inboxTrouble(ctx, agent, shown);
    return ok({ deliveries: shown.map(toDeliveryView), ...trouble });
  },
});

/** `space` null: every space the agent is in. */
function inboxOwner(
  target: string | undefined,
  caller: Caller,
): Result<{ readonly agent: string; readonly space: string | null }, Refusal> {
  if (caller.kind === "agent") {
    if (target === undefined || target === caller.name) return ok({ agent: caller.name, space: caller.space });
    return refuse("forbidden", "An agent may look into its own inbox only.", { hint: "Leave the target out." });
  }
  if (target === undefined) return refuse("invalid", "Whose inbox?", { hint: "Name an agent: alice or alice@review." });
  const parsed = parseTarget(target);
  if (!parsed.ok) return parsed;
  switch (parsed.value.kind) {
    case "dm":
      return ok({ agent: parsed.value.agent, space: null });
    case "agent":
      return ok({ agent: parsed.value.agent, space: formatSpace({ ...parsed.value, kind: "workspace" }) });
    case "channel":
      return refuse("invalid", `${target} is a channel, and an inbox belongs to an agent.`, {
        hint: `Name the agent: NAME${target}.`,
      });
  }
}

/** Returns why these deliveries are not answered now. */
async function inboxTrouble(
  ctx: Read,
  agent: string,
  deliveries: readonly DeliveryWithMessage[],
): Promise<{ waits: WaitingRun[]; rests: boolean }> {
  const runs = new Set(deliveries.map(({ delivery }) => delivery.run));
  const { resting, waits } = await ctx.read(async (store) =>
    readTroubles(store, ctx.services, await readUnfinishedRuns(store)),
  );
  const { trust } = ctx.services;
  const rests = trust.kind() !== "trusted" || resting.includes(agent);
  return { waits: waits.filter(({ run }) => runs.has(run)), rests };
}

async function openDeliveries(store: StoreReads, agent: string, space: string | null, limit: number) {
  const spaces = space === null ? [agent, ...(await store.workspaces.workspacesOf(agent))] : [space];
  const pages = [];
  for (const each of spaces) {
    const isRef = (await store.workspaces.member(each, agent))?.isRef ?? true;
    pages.push(...(await store.deliveries.inbox({ mailbox: mailboxOf(agent, isRef, each), space: each, limit })));
  }
  return pages.toSorted(({ delivery: a }, { delivery: b }) => a.enqueuedAt - b.enqueuedAt || a.seq - b.seq);
}

/** Within a lane the order stays that of arrival. */
function byLane({ delivery: a }: DeliveryWithMessage, { delivery: b }: DeliveryWithMessage): number {
  return compareLanes(a.lane, b.lane);
}
