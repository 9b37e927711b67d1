import type { ReceiptView } from "../../../src/contract/messages.ts";
import { person, systemCaller } from "../../../src/kernel/caller.ts";
import { createBallot } from "../../../src/operations/ballots/create-ballot.ts";
import { expireBallots } from "../../../src/operations/ballots/expire-ballots.ts";
import { remindVoters } from "../../../src/operations/ballots/remind-voters.ts";
import { dropDeadLetter } from "../../../src/operations/dead-letters/drop-dead-letter.ts";
import { retryDeadLetter } from "../../../src/operations/dead-letters/retry-dead-letter.ts";
import { ackDeliveries } from "../../../src/operations/inbox/ack-deliveries.ts";
import { sendMessage } from "../../../src/operations/messages/send-message.ts";
import { recoverRuns } from "../../../src/operations/runs/recover-runs.ts";
import { must } from "./broken.ts";
import { AGENTS, MAILBOXES, membersOf, PLACES } from "./cast.ts";
import type { Chance } from "./chance.ts";
import { expectBallotOpened, expectExpiry, expectReminders } from "./expect-ballot.ts";
import { expectAck, expectDeadLetter } from "./expect-inbox.ts";
import { expectMessage } from "./expect-message.ts";
import { accepted, expectRecovery } from "./expect-run.ts";
import type { FaultPlan } from "./fault-plan.ts";
import type { Model } from "./model.ts";
import { compose, type Speech } from "./speech.ts";
import type { Action } from "./world.ts";

/** What comes from outside the loops: the person at the keyboard, and the daemon's own housekeeping. */

interface Mail {
  /** A client that gives a key sends again until it has its receipt, and now and then once more. */
  readonly key: string | null;
  readonly to: string;
  readonly speech: Speech;
}

export class PersonScript {
  readonly #chance: Chance;
  readonly #plan: FaultPlan;
  readonly #model: Model;
  readonly #keyed: Mail[] = [];

  constructor(chance: Chance, plan: FaultPlan, model: Model) {
    this.#chance = chance;
    this.#plan = plan;
    this.#model = model;
  }

  sends(): Action {
    const chance = this.#chance;
    if (this.#keyed.length > 0 && chance.is(0.05)) return this.#send(chance.one(this.#keyed));
    const { key: place, members } = chance.one(PLACES);
    const to = chance.one([chance.one(AGENTS), place, chance.one(members).agent + place]);
    const { talkative, terse } = this.#plan;
    const speech = compose(chance, { space: place, speaker: "user", talkative, terse });
    const mail = { key: chance.is(0.2) ? `key-${this.#keyed.length}` : null, to, speech };
    if (mail.key !== null) this.#keyed.push(mail);
    return this.#send(mail);
  }

  #send({ key, to, speech }: Mail): Action {
    const model = this.#model;
    const at = to.indexOf("@");
    const space = at === -1 ? to : to.slice(at);
    const addressee = at > 0 ? to.slice(0, at) : null;
    const calls = membersOf(space).length === 0 ? [] : speech.calls;
    const awaited = this.#chance.is(0.2);
    return {
      label: `user sends to ${to}${key === null ? "" : ` with ${key}`}`,
      caller: person,
      operation: sendMessage,
      data: { to, message: speech.text, awaitsAnswer: awaited, ...(key === null ? {} : { idempotencyKey: key }) },
      check: (record) => {
        const { id, duplicate } = accepted<ReceiptView>(record);
        const earlier = key === null ? undefined : model.keys.get(key);
        must(duplicate === (earlier !== undefined), () => `${key} was answered as ${duplicate ? "repeated" : "new"}`);
        if (earlier !== undefined) {
          must(id === earlier, () => `${key} stands for ${earlier} and was answered with ${id}`);
          return;
        }
        const message = expectMessage(model, record, {
          space,
          addressee,
          sender: "user",
          kind: "message",
          calls,
          cause: null,
          run: null,
          awaited,
        });
        must(message.id === id, () => `the receipt of ${message.id} says ${id}`);
        if (key !== null) model.keys.set(key, id);
      },
    };
  }

  acks(): Action[] {
    const chance = this.#chance;
    const model = this.#model;
    const candidates = [...model.pending(chance.one(MAILBOXES)), ...model.dead];
    const letters = candidates.filter(() => chance.is(0.3)).slice(0, 5);
    if (letters.length === 0) return [];
    const ids = letters.map(({ id }) => id);
    return [
      {
        label: `user acks ${ids.join()}`,
        caller: person,
        operation: ackDeliveries,
        data: { ids },
        check: (record) => expectAck(model, record, letters),
      },
    ];
  }

  sortsDeadLetters(): Action[] {
    const [letter] = this.#model.dead;
    if (letter === undefined) return [];
    const kind = this.#chance.is(0.5) ? "revive" : "drop";
    return [
      {
        label: `${kind} ${letter.id}`,
        caller: person,
        operation: kind === "revive" ? retryDeadLetter : dropDeadLetter,
        data: { id: letter.id },
        check: (record) => expectDeadLetter(this.#model, record, letter, kind),
      },
    ];
  }

  opensBallot(): Action {
    const space = this.#chance.one(PLACES).key;
    return {
      label: `user opens a ballot in ${space}`,
      caller: person,
      operation: createBallot,
      data: { target: space, type: "decision", title: "Which way?", options: ["left", "right"] },
      check: (record) => expectBallotOpened(this.#model, record, { space, creator: "user", cause: null }),
    };
  }
}

export function expire(model: Model): Action {
  return {
    label: "expire ballots",
    caller: systemCaller,
    operation: expireBallots,
    data: {},
    check: (record) => expectExpiry(model, record),
  };
}

export function remind(model: Model): Action {
  return {
    label: "remind voters",
    caller: systemCaller,
    operation: remindVoters,
    data: {},
    check: (record) => expectReminders(model, record),
  };
}

export function recover(model: Model, leaseOwner: string): Action {
  return {
    label: `recover as ${leaseOwner}`,
    caller: systemCaller,
    operation: recoverRuns,
    data: { leaseOwner },
    check: (record) => expectRecovery(model, record, leaseOwner),
  };
}
