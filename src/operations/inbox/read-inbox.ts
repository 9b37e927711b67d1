import * as contract from "../../contract/inbox.ts";
import type { WaitingRun } from "../../contract/runs.ts";
import { compareLanes } from "../../domain/delivery/lane.ts";
import { mailboxOf } from "../../domain/delivery/mailbox.ts";
import { formatSpace } from "../../domain/message/space.ts";
import { spaceWords, startWordsOf } from "../../domain/message/space-words.ts";
import { parseTarget, type Target } from "../../domain/message/target.ts";
import type { Caller } from "../../kernel/caller.ts";
import { refuse, type Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import type { DeliveryRecord, DeliveryWithMessage } from "../../ports/store/delivery.ts";
import type { StoreReads } from "../../ports/store/store.ts";
import { everyone } from "../core/access.ts";
import { query, type Read } from "../core/define.ts";
import { checkKnown } from "../core/known-target.ts";
import { readPlacement } from "../nodes/place-run.ts";
import { findRunAgent, missingText, workflowOf } from "../runs/run-agent.ts";
import { readUnfinishedRuns } from "../runs/waiting-runs.ts";
import { toDeliveryView } from "./view.ts";

/** Returns the open deliveries of an agent. Acknowledges nothing. */
export const readInbox = query(contract.readInbox, {
  access: everyone,

  async execute(data, ctx) {
    const owner = inboxOwner(data.target, ctx.caller);
    if (!owner.ok) return owner;
    const { agent, space } = owner.value;
    if (ctx.caller.kind === "person") await ctx.services.definitions.refresh();
    const read = await ctx.read(async (store) => {
      const deliveries = await openDeliveries(store, agent, space, data.limit);
      const shown = deliveries.toSorted(byLane).slice(0, data.limit);
      const isPerson = ctx.caller.kind === "person";
      return ok({
        deliveries: shown.map(toDeliveryView),
        waits: isPerson ? await waitsOf(store, shown) : [],
        obstacles: isPerson ? await whyWaiting(ctx, store, agent, space, shown) : [],
      });
    });
    if (ctx.caller.kind === "person" && read.value.deliveries.length === 0) {
      const known = await checkKnown(ctx, owner.value.target, { inWorkspaces: true });
      if (!known.ok) return known;
    }
    return read;
  },
});

/** `space` null: every space the agent is in. */
function inboxOwner(
  target: string | undefined,
  caller: Caller,
): Result<{ readonly agent: string; readonly space: string | null; readonly target: Target }, Refusal> {
  if (caller.kind === "agent") {
    const own = { kind: "dm", agent: caller.name } as const;
    if (target === undefined || target === caller.name) return ok({ ...own, space: caller.space, target: own });
    return refuse("forbidden", "An agent may look into its own inbox only.", { hint: "Leave the target out." });
  }
  if (target === undefined) return refuse("invalid", "Whose inbox?", { hint: "Name an agent: alice or alice@review." });
  const parsed = parseTarget(target);
  if (!parsed.ok) return parsed;
  switch (parsed.value.kind) {
    case "dm":
      return ok({ agent: parsed.value.agent, space: null, target: parsed.value });
    case "agent":
      return ok({
        agent: parsed.value.agent,
        space: formatSpace({ ...parsed.value, kind: "workspace" }),
        target: parsed.value,
      });
    case "channel":
      return refuse("invalid", `${target} is a channel, and an inbox belongs to an agent.`, {
        hint: `Name the agent: NAME${target}.`,
      });
  }
}

/** Returns what the runs of these deliveries wait for. */
async function waitsOf(store: StoreReads, deliveries: readonly DeliveryWithMessage[]): Promise<WaitingRun[]> {
  const runs = new Set(deliveries.map(({ delivery }) => delivery.run));
  const { waits } = await readUnfinishedRuns(store);
  return waits.filter(({ run }) => runs.has(run));
}

async function openDeliveries(store: StoreReads, agent: string, space: string | null, limit: number) {
  const spaces = space === null ? [agent, ...(await store.workspaces.workspacesOf(agent))] : [space];
  const pages = [];
  for (const each of spaces) {
    pages.push(...(await openInSpace(store, agent, each, limit)));
  }
  return pages.toSorted(({ delivery: a }, { delivery: b }) => a.enqueuedAt - b.enqueuedAt || a.seq - b.seq);
}

/** Says for each place where something waits why nothing is begun there. */
async function whyWaiting(
  { services }: Read,
  store: StoreReads,
  agent: string,
  space: string | null,
  deliveries: readonly DeliveryWithMessage[],
): Promise<string[]> {
  const places = new Map([[space ?? agent, agent], ...deliveries.map(({ delivery }) => placeOf(delivery))]);
  const reasons: string[] = [];
  for (const [place, name] of places) {
    if ((await store.workspaces.status(place))?.state === "closed") {
      reasons.push(
        `${name} begins nothing in ${spaceWords(place)}, which is stopped. Go on there with: agent-worker start ${startWordsOf(place)} --continue`,
      );
      continue;
    }
    const found = await findRunAgent(store, services.definitions, { agent: name, space: place });
    if (found.kind === "found") {
      const unseen = services.trust.unseenOfAgent(found.agent.definition, workflowOf(place));
      if (unseen.length > 0) reasons.push(`${name} rests until you allow what it can do. See: agent-worker trust`);
      const { definition } = found.agent;
      const { problem } = await readPlacement(store, services, { agent: name, space: place, definition });
      if (problem !== null) reasons.push(problem);
    } else if (found.kind === "broken" || (await store.messages.page({ space: place, limit: 1 })).length > 0) {
      reasons.push(`${name} begins nothing. ${missingText(found)}`);
    }
  }
  return [...new Set(reasons)];
}

function placeOf({ space, agent }: DeliveryRecord): [space: string, agent: string] {
  return [space, agent];
}

/** In a workspace, what waits for an agent under every name it has there. */
async function openInSpace(store: StoreReads, agent: string, space: string, limit: number) {
  if (!space.startsWith("@")) return store.deliveries.inbox({ mailbox: agent, space, limit });
  const roster = await store.workspaces.roster(space);
  const member = roster.find((each) => each.agent === agent);
  if (member === undefined) return store.deliveries.inbox({ mailbox: agent, space, limit });
  const mailbox = mailboxOf(agent, member.ref, space);
  return store.deliveries.inbox({ mailbox, agent, space, limit });
}

/** Within a lane the order stays that of arrival. */
function byLane({ delivery: a }: DeliveryWithMessage, { delivery: b }: DeliveryWithMessage): number {
  return compareLanes(a.lane, b.lane);
}
