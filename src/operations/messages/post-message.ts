import type { ReceiptView } from "../../contract/messages.ts";
import { nextCausality } from "../../domain/causal/budget.ts";
import type { Lane } from "../../domain/delivery/lane.ts";
import { mailboxOf } from "../../domain/delivery/mailbox.ts";
import { newDelivery } from "../../domain/delivery/state.ts";
import { previewText, splitLargeBody } from "../../domain/message/large-message.ts";
import { findMentions, resolveMentions, type Mention, type TextRange } from "../../domain/message/mentions.ts";
import { PERSON, type MessageKind } from "../../domain/message/message.ts";
import { route, type Route } from "../../domain/message/route.ts";
import { formatSpace } from "../../domain/message/space.ts";
import { targetSpace, type Target } from "../../domain/message/target.ts";
import { checkParticipant, checkRunning } from "../../domain/workspace/participation.ts";
import { refuse, type Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import type { MessageRecord } from "../../ports/store/message.ts";
import type { Member } from "../../ports/store/workspace.ts";
import type { Execute } from "../core/define.ts";
import { wakeAgent } from "../core/wake-agent.ts";
import { makeDeadLetters } from "../dead-letters/dead-letter.ts";
import { contentId } from "../resources/content-id.ts";
import { announceChainStop, chargeMessageToChain } from "./chain-budget.ts";
import { findStoppedLetters, replaceStoppedLetters, type StoppedLetter } from "./stopped-letters.ts";

/** A message to post. */
export interface Post {
  readonly target: Target;
  readonly sender: string;
  readonly kind: MessageKind;
  readonly body: string;
  /** Ranges of the body that are data: an `@name` in them is no mention. The caller redacts such a body. */
  readonly inert?: readonly TextRange[];
  /** The participants to mention. Absent: those that the body mentions. */
  readonly calls?: readonly string[];
  /** Id of the message this one answers. */
  readonly cause?: string | null;
  readonly run?: string | null;
  /** The person, when every word of it is the person's although another sender posts it. */
  readonly onBehalfOf?: string | undefined;
  /** Tokens it took to write it, charged to its chain. */
  readonly tokens?: number;
  readonly idempotencyKey?: string | undefined;
  /** Replaces the lane that the target implies. */
  readonly lane?: Lane | undefined;
  /** The sender waits for the answer: each delivery gets a run of its own. */
  readonly awaited?: boolean;
}

/**
 * Posts a message, as a part of the transaction of the calling proposal; `send-message` is the simplest caller. Every
 * message but a notice (`post-notice.ts`) is created here. Returns the receipt; for a repeated idempotency key the
 * receipt of the first time.
 */
export async function postMessage(ctx: Execute, post: Post): Promise<Result<ReceiptView, Refusal>> {
  const { target, sender, kind, lane, idempotencyKey } = post;
  const space = formatSpace(targetSpace(target));
  if (idempotencyKey !== undefined) {
    const earlier = await ctx.store.messages.byIdempotencyKey(sender, idempotencyKey);
    if (earlier !== undefined) return repeatReceipt(ctx, post, earlier, space);
  }

  const addressee = await checkTarget(ctx, target, space);
  if (!addressee.ok) return addressee;
  // Redaction would move the ranges of `inert`.
  const body = post.inert === undefined ? ctx.services.redact(post.body) : post.body;
  const stopped = sender === PERSON && kind === "message" ? await findStoppedLetters(ctx, space) : [];
  const calls = resumedBy(post, body, stopped);
  const mentions = await readMentions(ctx, calls.length === 0 ? post : { ...post, calls }, body, space);
  const routes = route({ target, sender, kind, lane, mentioned: mentions.names });
  if (!routes.ok) return routes;

  const id = ctx.newId("msg");
  const cause = post.cause == null ? undefined : await ctx.store.messages.byId(post.cause);
  const causality = nextCausality(cause === undefined ? null : { id: cause.id, causality: cause }, { id, sender });
  const charged = { space, sender, body, tokens: post.tokens ?? 0, wakes: routes.value.length > 0 };
  const { exceeded, first } = await chargeMessageToChain(ctx, charged, causality, cause);

  const stored = await storeBody(ctx, post, body, space, mentions.names);
  const message: Omit<MessageRecord, "seq"> = {
    id,
    space,
    sender,
    kind,
    addressee: target.kind === "agent" ? target.agent : null,
    ...stored,
    mentions: mentions.names,
    root: causality.root,
    cause: causality.cause,
    depth: causality.depth,
    run: post.run ?? null,
    createdAt: ctx.now,
    onBehalfOf: post.onBehalfOf ?? null,
  };
  const seq = await ctx.store.messages.append(message, idempotencyKey ?? null);
  await ctx.emit({ type: "message.posted", space, message: id });

  const recipients = exceeded === null ? routes.value : [];
  // A notice whose chain is stopped is only read: nobody has to answer it.
  const delivered = kind === "notice" ? recipients : routes.value;
  for (const { recipient: agent, lane: urgency } of delivered) {
    const member = mentions.members.get(agent) ?? addressee.value ?? { ref: agent };
    const mailbox = mailboxOf(agent, member.ref, space);
    const place = { id: ctx.newId("dlv"), space, mailbox, agent, lane: urgency, enqueuedAt: ctx.now };
    await ctx.store.deliveries.add({ ...place, messageSeq: seq, awaited: post.awaited ?? false });
    if (exceeded === null) await wakeAgent(ctx, mailbox);
    else
      await makeDeadLetters(ctx, [{ ...place, state: newDelivery(), leaseOwner: null }], exceeded.reason, "incomplete");
  }
  await replaceStoppedLetters(ctx, stopped, recipients);
  const warnings = mentions.warning === null ? [] : [mentions.warning];
  if (calls.length > 0) warnings.push(`It goes on where a limit stopped it, with ${calls.join(", ")}.`);
  if (exceeded !== null) {
    warnings.push(`Nobody was woken: ${exceeded.reason}`);
    if (first) await announceChainStop(ctx, target, causality.root, exceeded.reason);
  }
  const { resource } = stored;
  return ok({ id, seq, space, recipients: recipients.map(toRecipient), resource, duplicate: false, warnings });
}

/** Returns the addressed member of a workspace; undefined for a channel or a direct message. */
async function checkTarget(ctx: Execute, target: Target, space: string): Promise<Result<Member | undefined, Refusal>> {
  if (target.kind === "dm") return ok(undefined);
  const { workflow, tag } = target;
  const { kind: _kind, ...place } = target;
  const workspace = await ctx.store.workspaces.status(space);
  if (workspace?.state !== "open") {
    const refused = checkRunning({ ...place, running: false, participants: [] });
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
  /** Members by name; those that are mentioned are among them. */
  readonly members: ReadonlyMap<string, Member>;
  /** Lists the mentioned names that are no participants. */
  readonly warning: string | null;
}

/** Up to this many names are looked up one by one, so that the cost does not grow with the team. */
const LOOK_UP_ONE_BY_ONE = 8;

async function readMentions(ctx: Execute, post: Post, body: string, space: string): Promise<Mentions> {
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

/** Returns whom a message wakes that addresses nobody: those whom a limit kept from being woken in this channel. */
function resumedBy(post: Post, body: string, stopped: readonly StoppedLetter[]): readonly string[] {
  if (stopped.length === 0 || post.target.kind !== "channel" || candidatesIn(post, body).length > 0) return [];
  return [...new Set(stopped.map(({ agent }) => agent))];
}

function candidatesIn(post: Post, body: string): Mention[] {
  if (post.target.kind === "dm" || post.kind === "notice") return [];
  if (post.calls !== undefined) return post.calls.map((name) => ({ name, start: 0 }));
  return findMentions(body, { inert: post.inert ?? [] });
}

/** Returns what the message contains: the body, or a preview and the id of the resource that a large body is stored as. */
async function storeBody(
  ctx: Execute,
  { kind, sender }: Post,
  body: string,
  space: string,
  mentions: readonly string[],
): Promise<Pick<MessageRecord, "body" | "resource">> {
  const split = splitLargeBody(body, { kind });
  if ("inline" in split) return { body: split.inline, resource: null };
  const { content, bytes, preview } = split;
  const id = contentId(content);
  const record = { id, type: "text/plain", encoding: "utf8", bytes, createdBy: sender, createdAt: ctx.now } as const;
  await ctx.store.resources.put(record, content, space);
  return { body: previewText(preview, { resourceId: id, bytes, mentions }), resource: id };
}

/** Returns the first receipt again, made from the stored message. */
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
  const { id, seq, kind, mentions, resource } = earlier;
  const { sender, lane } = post;
  const routes = route({ target: firstTarget(earlier, post.target), sender, kind, lane, mentioned: mentions });
  const recipients = routes.ok && !stopped ? routes.value.map(toRecipient) : [];
  return ok({ id, seq, space, recipients, resource, duplicate: true, warnings: [] });
}

/** The target of the stored message. `repeated` is in the same space, but may name another agent. */
function firstTarget({ addressee }: MessageRecord, repeated: Target): Target {
  if (repeated.kind === "dm") return repeated;
  return addressee === null ? { ...repeated, kind: "channel" } : { ...repeated, kind: "agent", agent: addressee };
}

function toRecipient({ recipient, lane }: Route): ReceiptView["recipients"][number] {
  return { agent: recipient, lane };
}
