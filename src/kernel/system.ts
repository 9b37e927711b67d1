import type { z } from "zod";
import type { Caller } from "./caller.ts";
import type { Clock } from "./clock.ts";
import type { Ids } from "./ids.ts";
import type {
  AnyOperation,
  AnyProposal,
  AnyQuery,
  ExecuteContext,
  Proposal,
  Query,
  ReadContext,
  OperationTypes,
} from "./proposal.ts";
import type { Random } from "./random.ts";
import { refuse, type Refusal } from "./refusal.ts";
import { ok, type Result } from "./result.ts";

/**
 * Evaluates operations. A proposal is checked, prepared outside the store, executed in one transaction together with
 * everything it composes, and only after the commit is durable do its answer and its events leave. Loops are woken a
 * little earlier, so that what they ask shares that commit. A refusal or a failure publishes nothing and wakes nobody.
 */
export interface System<W extends OperationTypes> {
  propose<Input extends z.ZodType, Output extends z.ZodType, Prepared>(
    caller: Caller,
    proposal: Proposal<W, Input, Output, Prepared>,
    data: z.input<Input>,
  ): Promise<Result<z.output<Output>, Refusal>>;
  query<Input extends z.ZodType, Output extends z.ZodType>(
    caller: Caller,
    query: Query<W, Input, Output>,
    data: z.input<Input>,
  ): Promise<Result<z.output<Output>, Refusal>>;
  /** For the faces, which know an operation only as a row of the registry and the data as untrusted input. */
  call(caller: Caller, operation: AnyOperation<W>, data: unknown): Promise<Result<unknown, Refusal>>;
}

/** What the kernel needs of a store. The contract is that of `ports/store/store.ts`. */
export interface TransactionalStore<W extends OperationTypes> {
  read<T>(work: (store: W["reads"]) => Promise<T>): Promise<T>;
  /** Resolves once the result is durable; a refusal undoes the work and resolves without a commit. */
  transact<T>(
    work: (store: TransactionalWrites<W>) => Promise<Result<T, Refusal>>,
    options?: { readonly once?: boolean; readonly written?: () => void },
  ): Promise<Result<T, Refusal>>;
}

export type TransactionalWrites<W extends OperationTypes> = W["writes"] & {
  appendEvent(event: W["event"], at: number): Promise<PublishedEvent<W>>;
  /** Runs the work so that a refusal undoes only what the work itself wrote. */
  nested<T>(work: () => Promise<Result<T, Refusal>>): Promise<Result<T, Refusal>>;
};

export type PublishedEvent<W extends OperationTypes> = W["event"] & { readonly seq: number; readonly at: number };

export interface SystemParts<W extends OperationTypes> {
  readonly store: TransactionalStore<W>;
  readonly services: W["services"];
  readonly clock: Pick<Clock, "now">;
  readonly random: Random;
  readonly newId: Ids;
  publish(events: readonly PublishedEvent<W>[]): void;
  wake(agents: Iterable<string>): void;
}

export function createSystem<W extends OperationTypes>(parts: SystemParts<W>): System<W> {
  const outside = (caller: Caller, now: number): ReadContext<W> => ({
    caller,
    now,
    services: parts.services,
    read: (work) => parts.store.read(work),
  });

  const evaluate = async (caller: Caller, proposal: AnyProposal<W>, input: unknown) => {
    const checked = check(caller, proposal, input);
    if (!checked.ok) return checked;
    for (let left = proposal.attempts ?? 1; ; left -= 1) {
      const result = await attempt(caller, proposal, checked.value);
      if (result.ok || result.error.code !== "stale_revision" || left <= 1) return result;
    }
  };

  const attempt = async (caller: Caller, proposal: AnyProposal<W>, data: unknown) => {
    const now = parts.clock.now();

    let prepared: unknown;
    if (proposal.prepare !== undefined) {
      const ready = await proposal.prepare(data, outside(caller, now));
      if (!ready.ok) return ready;
      prepared = ready.value;
    }

    let evaluation: Evaluation<W> | undefined;
    let committed = false;
    try {
      const result = await parts.store.transact(
        (store) => {
          evaluation = new Evaluation(parts, store, now, caller);
          return proposal.execute(data, evaluation, prepared);
        },
        { once: proposal.abandon !== undefined, written: () => evaluation?.wakeLoops() },
      );
      committed = result.ok;
      if (committed) evaluation?.announce();
      return result;
    } finally {
      if (!committed && proposal.prepare !== undefined) proposal.abandon?.(prepared);
    }
  };

  const answer = async (caller: Caller, query: AnyQuery<W>, input: unknown) => {
    const checked = check(caller, query, input);
    if (!checked.ok) return checked;
    return query.answer(checked.value, outside(caller, parts.clock.now()));
  };

  const call = (caller: Caller, operation: AnyOperation<W>, input: unknown) =>
    operation.kind === "proposal" ? evaluate(caller, operation, input) : answer(caller, operation, input);

  return { call, propose: call as System<W>["propose"], query: call as System<W>["query"] };
}

/** The context of one transaction: collects what may leave only after the commit. */
class Evaluation<W extends OperationTypes> implements ExecuteContext<W> {
  readonly caller: Caller;
  readonly now: number;
  readonly services: W["services"];
  readonly store: TransactionalWrites<W>;
  readonly newId: Ids;
  readonly random: Random;
  readonly #parts: SystemParts<W>;
  readonly #events: PublishedEvent<W>[] = [];
  readonly #wakes = new Set<string>();

  constructor(parts: SystemParts<W>, store: TransactionalWrites<W>, now: number, caller: Caller) {
    this.#parts = parts;
    this.store = store;
    this.now = now;
    this.caller = caller;
    this.services = parts.services;
    this.newId = parts.newId;
    this.random = parts.random;
  }

  async emit(event: W["event"]): Promise<void> {
    this.#events.push(await this.store.appendEvent(event, this.now));
  }

  wake(agent: string): void {
    this.#wakes.add(agent);
  }

  async propose<Input extends z.ZodType, Output extends z.ZodType>(
    proposal: Proposal<W, Input, Output, undefined>,
    input: z.input<Input>,
    as: Caller = this.caller,
  ): Promise<Result<z.output<Output>, Refusal>> {
    const parsed = parse(proposal, input);
    if (!parsed.ok) return parsed;
    const inner = new Evaluation(this.#parts, this.store, this.now, as);
    const result = await this.store.nested(() => proposal.execute(parsed.value, inner, undefined));
    if (result.ok) this.#adopt(inner);
    return result;
  }

  /** What was undone has nothing to announce: only an accepted part hands its events and wakes on. */
  #adopt(inner: Evaluation<W>): void {
    this.#events.push(...inner.#events);
    for (const agent of inner.#wakes) this.#wakes.add(agent);
  }

  /** Before the commit: what a loop asks the store now comes after this, and is answered after the same commit. */
  wakeLoops(): void {
    this.#parts.wake(this.#wakes);
  }

  announce(): void {
    this.#parts.publish(this.#events);
  }
}

function check<W extends OperationTypes>(
  caller: Caller,
  operation: AnyOperation<W>,
  input: unknown,
): Result<unknown, Refusal> {
  const refusal = operation.access(caller);
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
