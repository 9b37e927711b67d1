import type { z } from "zod";
import type { Caller } from "./caller.ts";
import type { Ids } from "./ids.ts";
import type { Random } from "./random.ts";
import type { FileEffect } from "./file-effect.ts";
import type { Refusal } from "./refusal.ts";
import type { Result } from "./result.ts";

/**
 * Every operation of the product is a Proposal, which changes state, or a Query, which reads. Both are plain data plus
 * functions.
 *
 * `OperationTypes` names the types that a set of operations works on; `operations/core/define.ts` binds it once.
 */
export interface OperationTypes {
  /** Reads of one consistent state of the store. */
  readonly reads: object;
  /** The same reads, and the writes of one transaction. */
  readonly writes: object;
  /** Recorded in the transaction and published after its commit. */
  readonly event: object;
  /** Parts outside the store: definitions, documents, personal context. */
  readonly services: object;
}

/** Returns a refusal when the caller may not use the operation at all. `execute` checks what the caller may change. */
export type Access = (caller: Caller) => Refusal | undefined;

/**
 * Returns a refusal when the caller may not call the operation: by the access rule of the operation, or because the
 * tools of a run do not use it. Every way to call an operation asks this, so HTTP allows a run what its tools allow.
 */
export function checkAccess(
  caller: Caller,
  { name, access }: { readonly name: string; readonly access: Access },
): Refusal | undefined {
  const refused = access(caller);
  if (refused !== undefined || caller.kind !== "agent" || caller.operations?.has(name) !== false) return refused;
  return {
    code: "forbidden",
    message: `None of the tools of ${caller.name} does this: ${name}.`,
    hint: "Use the tools you have. A person can grant one, add it to your definition, or take it out of deny.",
  };
}

export interface CallContext<Types extends OperationTypes> {
  readonly caller: Caller;
  /** Wall time, read once per evaluation, so that everything it writes has the same time. */
  readonly now: number;
  readonly services: Types["services"];
}

export interface ReadContext<Types extends OperationTypes> extends CallContext<Types> {
  /**
   * Reads one consistent state. The work awaits nothing but the store it is given. The state may change between
   * `prepare` and the transaction, so `execute` checks again what must hold.
   */
  read<T>(work: (store: Types["reads"]) => Promise<T>): Promise<T>;
  /**
   * For a `prepare` that changes a file, or stages one: a repeated call then changes it once. `prepared` returns what
   * `prepare` returns after the change; it must be JSON. Undefined for a caller whose calls are not repeated.
   */
  fileEffect<Value>(prepared: (value: Value) => unknown): FileEffect<Value> | undefined;
}

export interface ExecuteContext<Types extends OperationTypes> extends CallContext<Types> {
  readonly store: Types["writes"];
  readonly newId: Ids;
  readonly random: Random;
  /** Records the event in this transaction. It is published after the commit, never before. */
  emit(event: Types["event"]): Promise<void>;
  /**
   * Wakes the loop of the agent when the proposal is accepted, before the commit, so that the loop's writes share the
   * commit. It is only a hint: a lost wake costs time, never a message.
   */
  wake(agent: string): void;
  /**
   * Evaluates another proposal in this transaction, as the given caller or the same one. Its access rule is not checked:
   * the outer proposal is responsible. A refusal undoes only the changes of the inner proposal.
   */
  propose<Input extends z.ZodType, Output extends z.ZodType>(
    proposal: Proposal<Types, Input, Output, undefined>,
    data: z.input<Input>,
    as?: Caller,
  ): Promise<Result<z.output<Output>, Refusal>>;
}

/** What an operation is called, takes and returns. The public ones are declared in `contract/`. */
export interface Declaration<Input extends z.ZodType, Output extends z.ZodType> {
  readonly name: string;
  readonly summary: string;
  readonly input: Input;
  readonly output: Output;
}

export interface Proposal<
  Types extends OperationTypes,
  Input extends z.ZodType,
  Output extends z.ZodType,
  Prepared,
> extends Declaration<Input, Output> {
  readonly kind: "proposal";
  readonly access: Access;
  /** May be the consequence of a binding ballot. */
  readonly ballotable: boolean;
  /** Returns the space a ballotable proposal acts in: a ballot may propose only what acts in its own space. */
  space?(data: z.output<Input>, caller: Caller): string | undefined;
  /**
   * Slow work that must be on disk before the commit, such as files. Runs after the access check and before the
   * transaction. Must be idempotent, because the process may crash between it and the commit: see `fileEffect`.
   */
  prepare?(data: z.output<Input>, context: ReadContext<Types>): Promise<Result<Prepared, Refusal>>;
  /**
   * Undoes what `prepare` staged when the transaction did not commit. Must not throw. A proposal with `abandon` is
   * executed at most once, so `execute` may use up what was staged; unless it is `repeatable`, because it does not.
   */
  abandon?(prepared: Prepared): void;
  readonly repeatable?: true;
  /**
   * How often the proposal is evaluated, from `prepare` on, before `stale_revision` is returned: what it prepared may be
   * outdated when its transaction starts. Absent: once.
   */
  readonly attempts?: number;
  /**
   * Runs inside one transaction and awaits nothing but its context. A refusal undoes everything it wrote. Without
   * `abandon` it may be run a second time when another transaction of its commit fails; only the last run counts.
   */
  execute(
    data: z.output<Input>,
    context: ExecuteContext<Types>,
    prepared: Prepared,
  ): Promise<Result<z.output<Output>, Refusal>>;
}

export interface Query<
  Types extends OperationTypes,
  Input extends z.ZodType,
  Output extends z.ZodType,
> extends Declaration<Input, Output> {
  readonly kind: "query";
  readonly access: Access;
  execute(data: z.output<Input>, context: ReadContext<Types>): Promise<Result<z.output<Output>, Refusal>>;
}

/** An operation of any input and output. Only the System calls it, after it has checked the data. */
export type AnyProposal<Types extends OperationTypes> = Proposal<Types, z.ZodType, z.ZodType, unknown>;
export type AnyQuery<Types extends OperationTypes> = Query<Types, z.ZodType, z.ZodType>;
export type AnyOperation<Types extends OperationTypes> = AnyProposal<Types> | AnyQuery<Types>;

type ProposalBehaviour<
  Types extends OperationTypes,
  Input extends z.ZodType,
  Output extends z.ZodType,
  Prepared,
> = Omit<Proposal<Types, Input, Output, Prepared>, keyof Declaration<Input, Output> | "kind" | "ballotable"> & {
  readonly ballotable?: boolean;
};

export function defineProposal<Types extends OperationTypes>() {
  return <Input extends z.ZodType, Output extends z.ZodType, Prepared = undefined>(
    { name, summary, input, output }: Declaration<Input, Output>,
    behaviour: ProposalBehaviour<Types, Input, Output, Prepared>,
  ): Proposal<Types, Input, Output, Prepared> => ({
    ballotable: false,
    ...behaviour,
    kind: "proposal",
    name,
    summary,
    input,
    output,
  });
}

export function defineQuery<Types extends OperationTypes>() {
  return <Input extends z.ZodType, Output extends z.ZodType>(
    { name, summary, input, output }: Declaration<Input, Output>,
    behaviour: Omit<Query<Types, Input, Output>, keyof Declaration<Input, Output> | "kind">,
  ): Query<Types, Input, Output> => ({ ...behaviour, kind: "query", name, summary, input, output });
}
