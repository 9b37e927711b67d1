import type { ReceiptView } from "../../contract/messages.ts";
import {
  chargeMessage,
  chargeTokens,
  nextCausality,
  newTree,
  exceedChainBudget,
  type ChainBudgetExceeded,
} from "../../domain/causal/budget.ts";
import { detectLoop, LOOP_WINDOW, type ChainMessage } from "../../domain/causal/breaker.ts";
import type { Lane } from "../../domain/delivery/lane.ts";
import { mailboxOf } from "../../domain/delivery/mailbox.ts";
import { findMentions, resolveMentions, type Mention, type TextRange } from "../../domain/message/mentions.ts";
import { SYSTEM, type Causality, type MessageKind } from "../../domain/message/message.ts";
import { route, type Route } from "../../domain/message/route.ts";
import { previewText, splitLargeBody, type LargeBody } from "../../domain/message/large-message.ts";
import { formatSpace } from "../../domain/message/space.ts";
import { targetSpace, type Target } from "../../domain/message/target.ts";
import { checkParticipant, checkRunning } from "../../domain/workspace/participation.ts";
import { refuse, type Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import type { MessageRecord } from "../../ports/store/message.ts";
import type { Member } from "../../ports/store/workspace.ts";
import { chainLimits } from "./chain-limits.ts";
import type { Execute } from "../core/define.ts";
import { contentId } from "../resources/resource-content.ts";

/**
 * The one way a message comes into being: checked, routed, charged to its causal tree, appended with its deliveries,
 * announced. Part of the transaction of whichever proposal speaks; `send-message` is the plainest of them.
 */
export interface Post {
  readonly target: Target;
  readonly sender: string;
  readonly kind: MessageKind;
  readonly body: string;
  /** Parts of the body that are data: an `@name` in them mentions nobody. */
  readonly inert?: readonly TextRange[];
  /** Whom it calls, whatever the body says; absent: whom the body mentions. */
  readonly calls?: readonly string[];
  /** Id of the message this one answers. */
  readonly cause?: string | null;
  readonly run?: string | null;
  /** Tokens used to say it, charged to its chain in the same breath. */
  readonly tokens?: number;
  readonly idempotencyKey?: string | undefined;
  /** How urgent it is, whatever the target implies. */
  readonly lane?: Lane | undefined;
}

export async function postMessage(ctx: Execute, post: Post): Promise<Result<ReceiptView, Refusal>> {
  const space = formatSpace(targetSpace(post.target));
  if (post.idempotencyKey !== undefined) {
    const earlier = await ctx.store.messages.byIdempotencyKey(post.sender, post.idempotencyKey);
    if (earlier !== undefined) return repeatReceipt(ctx, post, earlier, space);
  }

  const place = await checkPlace(ctx, post.target, space);
  if (!place.ok) return place;
  // Ranges are positions in the text as given: whoever marks parts as data redacts them first.
  const body = post.inert === undefined ? ctx.services.redact(post.body) : post.body;
  const mentions = await mentionsIn(ctx, post, body, space);
  const routes = route({
    target: post.target,
    sender: post.sender,
    mentioned: mentions.names,
    kind: post.kind,
    lane: post.lane,
  });
  if (!routes.ok) return routes;

  const id = ctx.newId("msg");
  const cause = post.cause == null ? undefined : await ctx.store.messages.byId(post.cause);
  const causality = nextCausality(cause === undefined ? null : { id: cause.id, causality: cause }, {
    id,
    sender: post.sender,
  });
  const charge = cause === undefined ? FREE : await chargeTree(ctx, post, body, causality, cause);

  const split = splitLargeBody(body, { kind: post.kind });
  const kept =
    "inline" in split
      ? { body: split.inline, resource: null }
      : await offloadBody(ctx, split, space, post.sender, mentions.names);
  const message: Omit<MessageRecord, "seq"> = {
    id,
    space,
    sender: post.sender,
    kind: post.kind,
    addressee: post.target.kind === "agent" ? post.target.agent : null,
    body: kept.body,
    resource: kept.resource,
    mentions: mentions.names,
    root: causality.root,
    cause: causality.cause,
    depth: causality.depth,
    run: post.run ?? null,
    createdAt: ctx.now,
  };
  const seq = await ctx.store.messages.append(message, post.idempotencyKey ?? null);
  await ctx.emit({ type: "message.posted", space, message: id });

  const warnings = mentions.warning === null ? [] : [mentions.warning];
  const recipients = charge.trip === null ? routes.value : [];
  for (const { recipient, lane } of recipients) {
    const isRef = mentions.members.get(recipient)?.isRef ?? place.value?.isRef ?? true;
    const mailbox = mailboxOf(recipient, isRef, space);
    await ctx.store.deliveries.add({
      id: ctx.newId("dlv"),
      messageSeq: seq,
      space,
      mailbox,
      lane,
      enqueuedAt: ctx.now,
    });
    ctx.wake(mailbox);
  }
  if (charge.trip !== null) {
    warnings.push(`Nobody was woken: ${charge.trip.reason}`);
    if (charge.first) await announceChainStop(ctx, post.target, causality.root, charge.trip.reason);
  }
  return ok({
    id,
    seq,
    space,
    recipients: recipients.map(toRecipient),
    resource: kept.resource,
    duplicate: false,
    warnings,
  });
}

/** The addressed member of a workspace; undefined for a channel or a direct message. */
async function checkPlace(ctx: Execute, target: Target, space: string): Promise<Result<Member | undefined, Refusal>> {
  if (target.kind === "dm") return ok(undefined);
  const { workflow, tag } = target;
  const workspace = await ctx.store.workspaces.status(space);
  if (workspace?.state !== "open") {
    const refused = checkRunning({ workflow, tag, running: false, participants: [] });
    return refused.ok ? ok(undefined) : refused;
  }
  if (target.kind === "channel") {
    if (workspace.channel) return ok(undefined);
    return refuse("not_found", `Workflow "${workflow}" has no channel.`, {
      hint: `Send to one of its agents: NAME@${workflow}.`,
    });
  }
  const member = await ctx.store.workspaces.member(space, target.agent);
  if (member !== undefined) return ok(member);
  const participants = (await ctx.store.workspaces.roster(space)).map(({ agent }) => agent);
  const refused = checkParticipant({ workflow, tag, running: true, participants }, target.agent);
  return refused.ok ? ok(undefined) : refused;
}

interface Mentions {
  readonly names: string[];
  readonly members: ReadonlyMap<string, Member>;
  readonly warning: string | null;
}

/** Reads the members a message names, one by one while they are few, so that a large team costs nothing. */
const LOOK_UP_ONE_BY_ONE = 8;

async function mentionsIn(ctx: Execute, post: Post, body: string, space: string): Promise<Mentions> {
  const candidates = candidatesIn(post, body);
  if (candidates.length === 0) return { names: [], members: new Map(), warning: null };

  const members = new Map<string, Member>();
  const few = candidates.length <= LOOK_UP_ONE_BY_ONE;
  if (few) {
    for (const { name } of candidates) {
      const member = await ctx.store.workspaces.member(space, name);
      if (member !== undefined) members.set(name, member);
    }
  }
  if (!few || members.size < candidates.length) {
    members.clear();
    for (const member of await ctx.store.workspaces.roster(space)) members.set(member.agent, member);
  }
  const { mentioned, unknown } = resolveMentions(candidates, {
    sender: post.sender,
    isParticipant: (name) => members.has(name),
    participants: () => [...members.keys()],
  });
  const warning =
    unknown.length === 0
      ? null
      : `Nobody here is called ${unknown.map((name) => `@${name}`).join(", ")}. Here are: ${[...members.keys()].join(", ")}.`;
  return { names: mentioned, members, warning };
}

function candidatesIn(post: Post, body: string): Mention[] {
  if (post.target.kind === "dm" || post.kind === "notice") return [];
  if (post.calls !== undefined) return post.calls.map((name) => ({ name, start: 0 }));
  return findMentions(body, { inert: post.inert ?? [] });
}

/** What the causal tree says to a message. `first`: it is this message that stopped the tree. */
interface TreeCharge {
  readonly trip: ChainBudgetExceeded | null;
  readonly first: boolean;
}

const FREE: TreeCharge = { trip: null, first: false };

/**
 * A chain that has reached its limit is stopped, not silenced: the message is kept and shown, the channel says why,
 * and nobody is woken until a person speaks.
 */
async function chargeTree(
  ctx: Execute,
  post: Post,
  body: string,
  causality: Causality,
  cause: MessageRecord,
): Promise<TreeCharge> {
  if (causality.depth === 0) return FREE;
  const limits = chainLimits(ctx.services, formatSpace(targetSpace(post.target)));
  const before = (await ctx.store.causal.tree(causality.root)) ?? newTree(causality.root);
  const used = chargeTokens(before, { tokens: post.tokens ?? 0, at: ctx.now }, limits).tree;
  let { tree, tripped } = chargeMessage(used, { depth: causality.depth, at: ctx.now }, limits);
  if (tripped === null && causality.depth >= LOOP_WINDOW) {
    const reason = detectLoop([...(await chainOf(ctx, cause)), { sender: post.sender, body }], limits);
    if (reason !== null) {
      tripped = { reason, at: ctx.now };
      tree = exceedChainBudget(tree, tripped);
    }
  }
  await ctx.store.causal.save(tree);
  return { trip: tripped, first: tripped !== null && before.tripped === null };
}

/** The messages that led here, oldest first, as far back as the breaker looks. */
async function chainOf(ctx: Execute, cause: MessageRecord): Promise<ChainMessage[]> {
  const chain: ChainMessage[] = [];
  for (let at: MessageRecord | undefined = cause; at !== undefined && chain.length < LOOP_WINDOW;) {
    chain.unshift({ sender: at.sender, body: at.body });
    at = at.cause === null ? undefined : await ctx.store.messages.byId(at.cause);
  }
  return chain;
}

export async function announceChainStop(ctx: Execute, target: Target, root: string, reason: string): Promise<void> {
  await ctx.emit({ type: "breaker.tripped", space: formatSpace(targetSpace(target)), root, reason });
  const channel: Target = target.kind === "agent" ? { ...target, kind: "channel" } : target;
  await postNotice(ctx, channel, reason);
}

/**
 * What the system says in a channel or a direct message. It mentions nobody and wakes nobody. Under a `key` it can be
 * found again, and must not be said a second time. With a `run`, those who follow that run are told.
 */
export async function postNotice(
  ctx: Execute,
  target: Target,
  body: string,
  key: string | null = null,
  run: string | null = null,
): Promise<void> {
  const space = formatSpace(targetSpace(target));
  const id = ctx.newId("msg");
  await ctx.store.messages.append(
    {
      id,
      space,
      sender: SYSTEM,
      kind: "notice",
      addressee: null,
      body,
      resource: null,
      mentions: [],
      root: id,
      cause: null,
      depth: 0,
      run,
      createdAt: ctx.now,
    },
    key,
  );
  await ctx.emit({ type: "message.posted", space, message: id });
}

/** Keeps a body that is too large for the channel as a resource, and answers with what the channel shows of it. */
async function offloadBody(
  ctx: Execute,
  { content, bytes, preview }: LargeBody,
  space: string,
  createdBy: string,
  mentions: readonly string[],
): Promise<{ body: string; resource: string }> {
  const resource = contentId(content);
  const about = { id: resource, type: "text/plain", bytes, createdBy, createdAt: ctx.now };
  await ctx.store.resources.put(about, content, space);
  return { body: previewText(preview, { resourceId: resource, bytes, mentions }), resource };
}

/** The receipt of the first time, made again from what the message itself says. */
async function repeatReceipt(
  ctx: Execute,
  post: Post,
  earlier: MessageRecord,
  space: string,
): Promise<Result<ReceiptView, Refusal>> {
  if (earlier.space !== space) {
    return refuse("conflict", `The idempotency key "${post.idempotencyKey}" was used for another message.`, {
      hint: "Use a new key for each message.",
    });
  }
  const tripped = (await ctx.store.causal.tree(earlier.root))?.tripped;
  const stopped = tripped != null && tripped.at <= earlier.createdAt;
  const routes = route({
    target: targetOf(earlier, post.target),
    sender: post.sender,
    mentioned: earlier.mentions,
    kind: earlier.kind,
    lane: post.lane,
  });
  return ok({
    id: earlier.id,
    seq: earlier.seq,
    space,
    recipients: routes.ok && !stopped ? routes.value.map(toRecipient) : [],
    resource: earlier.resource,
    duplicate: true,
    warnings: [],
  });
}

/** Where the message went the first time: `repeated` names the same space, but perhaps somebody else in it. */
function targetOf({ addressee }: MessageRecord, repeated: Target): Target {
  if (repeated.kind === "dm") return repeated;
  return addressee === null ? { ...repeated, kind: "channel" } : { ...repeated, kind: "agent", agent: addressee };
}

function toRecipient({ recipient, lane }: Route): ReceiptView["recipients"][number] {
  return { agent: recipient, lane };
}
