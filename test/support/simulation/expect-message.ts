import { detectLoop, LOOP_WINDOW, type ChainMessage } from "../../../src/domain/causal/breaker.ts";
import type { Lane } from "../../../src/domain/delivery/lane.ts";
import { mailboxAgent } from "../../../src/domain/delivery/mailbox.ts";
import type { MessageKind } from "../../../src/domain/message/message.ts";
import { isReservedName } from "../../../src/domain/names.ts";
import type { MessageRecord } from "../../../src/ports/store/message.ts";
import { must } from "./broken.ts";
import { mailboxIn, membersOf } from "./cast.ts";
import { claim, group, type Letter, type Model } from "./model.ts";
import { UNKNOWN_CALL } from "./speech.ts";
import type { TransactionRecord } from "./transaction-record.ts";

/** A message somebody means to post. Its author knows whom the text calls; the product has to find out by reading. */
export interface Intent {
  readonly space: string;
  /** The agent a direct send into a workspace names. */
  readonly addressee: string | null;
  readonly sender: string;
  readonly kind: MessageKind;
  /** Names called, `all` for everyone. */
  readonly calls: readonly string[];
  readonly cause: string | null;
  readonly run: string | null;
  /** The sender waits for the answer. */
  readonly awaited?: boolean;
}

/** The transaction must have posted this message, with exactly the deliveries it calls for. */
export function expectMessage(model: Model, record: TransactionRecord, intent: Intent): MessageRecord {
  const { space, sender, kind, addressee } = intent;
  const message = claim(
    record.messages,
    (each) => each.sender === sender && each.kind === kind && each.space === space && each.addressee === addressee,
    () => `no ${kind} of ${sender} was posted in ${space}`,
  );
  const cause = intent.cause === null ? undefined : model.messages.get(intent.cause);
  must((cause === undefined) === (intent.cause === null), () => `${message.id} is caused by a message that is unknown`);
  const causes = sender === "user" ? undefined : cause;
  const expected = {
    root: causes?.root ?? message.id,
    cause: causes?.id ?? null,
    depth: causes === undefined ? 0 : causes.depth + 1,
  };
  const { root, depth } = message;
  must(
    root === expected.root && message.cause === expected.cause && depth === expected.depth,
    () => `wrong causality: ${JSON.stringify(message)}`,
  );
  must(message.run === intent.run, () => `${message.id} belongs to run ${message.run}, not ${intent.run}`);

  const stoppedBefore = sender === "user" ? stoppedLetters(model, space) : [];
  const routes = routesOf({ ...intent, calls: callsOf(intent, message, stoppedBefore) });
  const stopped = causes !== undefined && isStopped(model, record, message, causes, routes.size > 0);
  remember(model, message);
  const delivered = stopped && kind === "notice" ? new Map<string, Lane>() : routes;
  const letters = expectLetters(model, record, message, delivered, intent.awaited ?? false);
  if (stopped) for (const letter of letters) model.expectMove(record, letter, { status: "dead", run: null });
  for (const letter of stoppedBefore)
    if (routes.has(letter.mailbox)) model.expectMove(record, letter, { status: "acked", run: null });
  return message;
}

/**
 * Those that a stopped chain of messages has left in the space, among its newest dead letters. A person goes on in their
 * place.
 */
function stoppedLetters(model: Model, space: string): Letter[] {
  return [...model.dead]
    .filter(({ message }) => message.space === space)
    .toSorted((a, b) => b.seq - a.seq)
    .slice(0, MOST_DEAD_LETTERS)
    .filter(({ message, limited }) => limited && model.tree(message.root).tripped)
    .toReversed();
}

const MOST_DEAD_LETTERS = 100;

/**
 * Whom a message calls: a person who calls nobody in a channel calls those whom a limit has stopped there. Who calls
 * somebody unknown meant another, and is told so.
 */
function callsOf(
  { space, addressee, calls }: Intent,
  { body }: MessageRecord,
  stopped: readonly Letter[],
): readonly string[] {
  if (!space.startsWith("@") || addressee !== null || calls.length > 0 || body.includes(UNKNOWN_CALL)) return calls;
  return stopped.map(({ mailbox }) => mailboxAgent(mailbox));
}

/** Something the system says to whoever looks: nobody is called and nobody is woken. */
export function expectNotice(model: Model, record: TransactionRecord, space: string): void {
  const notice = claim(
    record.messages,
    (each) => each.sender === "system" && each.kind === "notice" && each.space === space && each.cause === null,
    () => `no notice was posted in ${space}`,
  );
  remember(model, notice);
  expectLetters(model, record, notice, new Map(), false);
}

/** Charges the chain. When that stops it, the channel must have been told, once. */
function isStopped(
  model: Model,
  record: TransactionRecord,
  message: MessageRecord,
  cause: MessageRecord,
  wakes: boolean,
): boolean {
  const tree = model.tree(message.root);
  if (tree.tripped) return true;
  // A message that hands on to nobody ends its chain by itself.
  if (message.depth > model.limits.hops && !wakes) return false;
  if (message.depth > model.limits.hops) {
    exceedChainBudget(model, record, message.root, message.space);
    return true;
  }
  tree.messages += 1;
  tree.maxDepth = Math.max(tree.maxDepth, message.depth);
  if (message.depth < LOOP_WINDOW || !wakes) return false;
  const chain: ChainMessage[] = [message];
  for (let at: MessageRecord | undefined = cause; at !== undefined && chain.length <= LOOP_WINDOW;) {
    chain.unshift(at);
    at = at.cause === null ? undefined : model.messages.get(at.cause);
  }
  if (detectLoop(chain, model.limits) === null) return false;
  exceedChainBudget(model, record, message.root, message.space);
  return true;
}

export function exceedChainBudget(model: Model, record: TransactionRecord, root: string, space: string): void {
  const tree = model.tree(root);
  must(!tree.tripped, () => `the chain of ${root} was stopped twice`);
  tree.tripped = true;
  const said = record.events.filter((event) => event.type === "breaker.tripped" && event.root === root).length;
  must(said === 1, () => `the stop of ${root} was announced ${said} times`);
  expectNotice(model, record, space);
}

function routesOf({ space, addressee, sender, kind, calls }: Intent): Map<string, Lane> {
  const routes = new Map<string, Lane>();
  const add = (agent: string, lane: Lane): void => {
    if (agent !== sender && !isReservedName(agent)) routes.set(mailboxIn(space, agent), lane);
  };
  if (!space.startsWith("@")) {
    add(space, "immediate");
    return routes;
  }
  if (addressee !== null) add(addressee, kind === "notice" ? "background" : "normal");
  const names = membersOf(space).map(({ agent }) => agent);
  for (const call of calls)
    for (const name of call === "all" ? names : [call]) if (names.includes(name)) add(name, "immediate");
  return routes;
}

function expectLetters(
  model: Model,
  record: TransactionRecord,
  message: MessageRecord,
  routes: ReadonlyMap<string, Lane>,
  awaited: boolean,
): Letter[] {
  const letters: Letter[] = [];
  for (const [mailbox, lane] of routes) {
    const delivery = claim(
      record.deliveries,
      (each) => each.messageSeq === message.seq && each.mailbox === mailbox,
      () => `${message.id} was not delivered to ${mailbox}`,
    );
    must(delivery.lane === lane, () => `${message.id} went to ${mailbox} in lane ${delivery.lane}, not ${lane}`);
    must(
      delivery.space === message.space && delivery.enqueuedAt === record.now,
      () => `wrong delivery ${JSON.stringify(delivery)}`,
    );
    must(delivery.awaited === awaited, () => `${delivery.id} is ${awaited ? "not " : ""}waited for`);
    must(!model.letters.has(delivery.id), () => `the id ${delivery.id} was used twice`);
    const letter: Letter = {
      id: delivery.id,
      seq: model.letters.size + 1,
      message,
      mailbox,
      lane,
      enqueuedAt: record.now,
      awaited,
      limited: false,
      status: "pending",
      notBefore: null,
      attempts: 0,
      preempted: 0,
      run: null,
      settled: 0,
      revived: 0,
    };
    model.letters.set(delivery.id, letter);
    group(model.pendingOf, mailbox).add(letter);
    letters.push(letter);
  }
  const extra = record.deliveries.find(({ messageSeq }) => messageSeq === message.seq);
  must(extra === undefined, () => `${message.id} was delivered to ${extra?.mailbox} as well`);
  return letters;
}

function remember(model: Model, message: MessageRecord): void {
  must(!model.messages.has(message.id), () => `the id ${message.id} was used twice`);
  model.messages.set(message.id, message);
  model.fresh.push(message);
}
