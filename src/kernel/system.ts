import type { z } from "zod";
import { isFenced, type Caller, type FencedCaller } from "./caller.ts";
import type { Clock } from "./clock.ts";
import type { Ids } from "./ids.ts";
import {
  checkAccess,
  type AnyOperation,
  type AnyProposal,
  type AnyQuery,
  type ExecuteContext,
  type Proposal,
  type Query,
  type ReadContext,
  type OperationTypes,
} from "./proposal.ts";
import type { Random } from "./random.ts";
import { refuse, type Refusal } from "./refusal.ts";
import { RefusedChange, repeatableCall, type CallMemory, type RepeatableCall } from "./repeated-call.ts";
import { ok, type Result } from "./result.ts";

/**
 * Evaluates operations. A proposal is checked, prepared outside the store, and executed in one transaction together with
 * the proposals it makes. Its result is returned and its events are published after the commit is durable. Loops are
 * woken a little earlier, so that what they write shares that commit. A refusal or a failure publishes no event and
 * wakes no loop.
 */
export interface System<Types extends OperationTypes> {
  propose<Input extends z.ZodType, Output extends z.ZodType, Prepared>(
    caller: Caller,
    proposal: Proposal<Types, Input, Output, Prepared>,
    data: z.input<Input>,
  ): Promise<Result<z.output<Output>, Refusal>>;
  query<Input extends z.ZodType, Output extends z.ZodType>(
    caller: Caller,
    query: Query<Types, Input, Output>,
    data: z.input<Input>,
  ): Promise<Result<z.output<Output>, Refusal>>;
  /** For the HTTP and MCP adapters, which know an operation only by its name and have unchecked input. */
  call(caller: Caller, operation: AnyOperation<Types>, data: unknown): Promise<Result<unknown, Refusal>>;
}

/** What the kernel needs of a store. `ports/store/store.ts` has the contract. */
export interface TransactionalStore<Types extends OperationTypes> {
  read<T>(work: (store: Types["reads"]) => Promise<T>): Promise<T>;
  /** Resolves once the result is durable; a refusal undoes the work and resolves without a commit. */
  transact<T>(
    work: (store: TransactionalWrites<Types>) => Promise<Result<T, Refusal>>,
    options?: {
      readonly once?: boolean;
      readonly written?: () => void;
      readonly woken?: () => Iterable<string>;
    },
  ): Promise<Result<T, Refusal>>;
}

export type TransactionalWrites<Types extends OperationTypes> = Types["writes"] & {
  appendEvent(event: Types["event"], at: number): Promise<PublishedEvent<Types>>;
  /** Runs the work so that a refusal undoes only what the work itself wrote. */
  nested<T>(work: () => Promise<Result<T, Refusal>>): Promise<Result<T, Refusal>>;
};

export type PublishedEvent<Types extends OperationTypes> = Types["event"] & {
  readonly seq: number;
  readonly at: number;
};

export interface SystemParts<Types extends OperationTypes> {
  readonly store: TransactionalStore<Types>;
  readonly services: Types["services"];
  readonly clock: Pick<Clock, "now">;
  readonly random: Random;
  readonly newId: Ids;
  /** Absent: nothing is limited. */
  readonly quota?: Quota;
  /** Absent: a call that is repeated is executed again. */
  readonly callMemory?: CallMemory<Types>;
  /**
   * Returns a refusal when the run of the caller was taken over or has ended. Asked before anything is done for a caller
   * with a fence, and once more in the transaction. Absent: every caller is believed.
   */
  checkFence?(store: Types["reads"], caller: FencedCaller): Promise<Refusal | undefined>;
  /** Called with the input of each proposal before it is evaluated; undefined when there is nothing to wait for. */
  beforeProposal?(data: unknown): Promise<void> | undefined;
  /** Returns a refusal with a hint that fits what the project has. Absent: refusals are returned as they are. */
  explain?(refusal: Refusal): Promise<Refusal>;
  /** The result of a proposal is returned after its events were published. */
  publish(events: readonly PublishedEvent<Types>[]): void | Promise<void>;
  wake(agents: Iterable<string>): void;
}

/** Limits how much a caller may change. */
export interface Quota {
  /** Counts a proposal before it is prepared, or refuses it. A proposal that is not accepted takes its count back. */
  charge(
    caller: Caller,
    proposal: string,
    data: unknown,
    now: number,
  ): Result<{ readonly takeBack: () => void }, Refusal>;
}

/** Returns why the caller may do nothing any more, if it has a fence and lost its run. */
async function findLoss<Types extends OperationTypes>(
  { checkFence }: SystemParts<Types>,
  store: Types["reads"],
  caller: Caller,
): Promise<Refusal | undefined> {
  return isFenced(caller) ? checkFence?.(store, caller) : undefined;
}

export function createSystem<Types extends OperationTypes>(parts: SystemParts<Types>): System<Types> {
  const readContext = (caller: Caller, now: number, call?: RepeatableCall<Types>): ReadContext<Types> => ({
    caller,
    now,
    services: parts.services,
    read: (work) => parts.store.read(work),
    fileEffect: (prepared) => call?.fileEffect(prepared),
  });

  const evaluate = async (caller: Caller, proposal: AnyProposal<Types>, input: unknown) => {
    const checked = check(caller, proposal, input);
    if (!checked.ok) return checked;
    const lost = (store: Types["reads"]): Promise<Refusal | undefined> => findLoss(parts, store, caller);
    const call = repeatableCall({ ...parts, lost }, caller, proposal.name);
    const earlier = await call?.find();
    // Without either the transaction is the first thing that happens, and it asks as well.
    if (isFenced(caller) && (earlier?.answer !== undefined || proposal.prepare !== undefined)) {
      const refusal = await parts.store.read(lost);
      if (refusal !== undefined) return { ok: false as const, error: refusal };
    }
    if (earlier?.answer !== undefined) return ok(earlier.answer.value);
    const charged = parts.quota?.charge(caller, proposal.name, checked.value, parts.clock.now());
    if (charged?.ok === false) return charged;
    let accepted = false;
    try {
      for (let left = proposal.attempts ?? 1; ; left -= 1) {
        const result = await attempt(caller, proposal, checked.value, call);
        accepted = result.ok;
        if (result.ok || result.error.code !== "stale_revision" || left <= 1) return result;
      }
    } finally {
      if (!accepted) charged?.value.takeBack();
      await call?.end(accepted);
    }
  };

  const attempt = async (
    caller: Caller,
    proposal: AnyProposal<Types>,
    data: unknown,
    call: RepeatableCall<Types> | undefined,
  ) => {
    const now = parts.clock.now();

    // A transaction must not wait, so what takes long in it is made ready before.
    const ready = parts.beforeProposal?.(data);
    if (ready !== undefined) await ready;
    let prepared: unknown;
    const resumed = call?.takeResumed();
    if (resumed !== undefined) {
      prepared = resumed.prepared;
    } else if (proposal.prepare !== undefined) {
      const result = await prepareOrRefuse(proposal.prepare(data, readContext(caller, now, call)));
      if (!result.ok) return result;
      prepared = result.value;
    }

    let evaluation: Evaluation<Types> | undefined;
    let committed = false;
    try {
      const result = await parts.store.transact(
        async (store) => {
          const lost = await findLoss(parts, store, caller);
          if (lost !== undefined) return { ok: false as const, error: lost };
          evaluation = new Evaluation(parts, store, now, caller);
          const executed = await proposal.execute(data, evaluation, prepared);
          if (executed.ok) await call?.storeAnswer(store, executed.value);
          return executed;
        },
        {
          once: proposal.abandon !== undefined && proposal.repeatable !== true,
          written: () => evaluation?.wakeLoops(),
          woken: () => evaluation?.woken ?? [],
        },
      );
      committed = result.ok;
      if (committed) await evaluation?.publishEvents();
      return result;
    } finally {
      if (!committed && proposal.prepare !== undefined) proposal.abandon?.(prepared);
    }
  };

  const read = async (caller: Caller, query: AnyQuery<Types>, input: unknown) => {
    const checked = check(caller, query, input);
    if (!checked.ok) return checked;
    const lost = isFenced(caller) ? await parts.store.read((store) => findLoss(parts, store, caller)) : undefined;
    if (lost !== undefined) return { ok: false as const, error: lost };
    return query.execute(checked.value, readContext(caller, parts.clock.now()));
  };

  const call = async (caller: Caller, operation: AnyOperation<Types>, input: unknown) => {
    const result =
      operation.kind === "proposal" ? await evaluate(caller, operation, input) : await read(caller, operation, input);
    if (result.ok || parts.explain === undefined) return result;
    return { ok: false as const, error: await parts.explain(result.error) };
  };

  return { call, propose: call as System<Types>["propose"], query: call as System<Types>["query"] };
}

/** A run that was taken over is refused in the middle of its preparation, before it changes a file. */
async function prepareOrRefuse(preparing: Promise<Result<unknown, Refusal>>): Promise<Result<unknown, Refusal>> {
  try {
    return await preparing;
  } catch (error) {
    if (error instanceof RefusedChange) return { ok: false, error: error.refusal };
    throw error;
  }
}

/** The context of one proposal in a transaction. Collects its events and the loops to wake. */
class Evaluation<Types extends OperationTypes> implements ExecuteContext<Types> {
  readonly caller: Caller;
  readonly now: number;
  readonly services: Types["services"];
  readonly store: TransactionalWrites<Types>;
  readonly newId: Ids;
  readonly random: Random;
  readonly #parts: SystemParts<Types>;
  readonly #events: PublishedEvent<Types>[] = [];
  readonly #wakes = new Set<string>();

  constructor(parts: SystemParts<Types>, store: TransactionalWrites<Types>, now: number, caller: Caller) {
    this.#parts = parts;
    this.store = store;
    this.now = now;
    this.caller = caller;
    this.services = parts.services;
    this.newId = parts.newId;
    this.random = parts.random;
  }

  async emit(event: Types["event"]): Promise<void> {
    this.#events.push(await this.store.appendEvent(event, this.now));
  }

  wake(agent: string): void {
    this.#wakes.add(agent);
  }

  async propose<Input extends z.ZodType, Output extends z.ZodType>(
    proposal: Proposal<Types, Input, Output, undefined>,
    input: z.input<Input>,
    as: Caller = this.caller,
  ): Promise<Result<z.output<Output>, Refusal>> {
    const parsed = parse(proposal, input);
    if (!parsed.ok) return parsed;
    const inner = new Evaluation(this.#parts, this.store, this.now, as);
    const result = await this.store.nested(() => proposal.execute(parsed.value, inner, undefined));
    if (result.ok) {
      this.#events.push(...inner.#events);
      for (const agent of inner.#wakes) this.#wakes.add(agent);
    }
    return result;
  }

  get woken(): Iterable<string> {
    return this.#wakes;
  }

  /** Called before the commit, so that the transactions of the woken loops share it. */
  wakeLoops(): void {
    this.#parts.wake(this.#wakes);
  }

  publishEvents(): void | Promise<void> {
    return this.#parts.publish(this.#events);
  }
}

function check<Types extends OperationTypes>(
  caller: Caller,
  operation: AnyOperation<Types>,
  input: unknown,
): Result<unknown, Refusal> {
  const refusal = checkAccess(caller, operation);
  if (refusal !== undefined) return { ok: false, error: refusal };
  return parse(operation, input);
}

function parse<Input extends z.ZodType>(
  operation: { readonly name: string; readonly input: Input },
  input: unknown,
): Result<z.output<Input>, Refusal> {
  const parsed = operation.input.safeParse(input);
  if (parsed.success) return ok(parsed.data);
  const issues = parsed.error.issues.map((issue) => ({ path: issue.path.join("."), message: issue.message }));
  const [first] = issues;
  const place = first === undefined || first.path === "" ? "" : ` in "${first.path}"`;
  return refuse("invalid", `${operation.name}: ${first?.message ?? "invalid input"}${place}.`, { details: { issues } });
}
