import type { z } from "zod";
import type { Caller } from "./caller.ts";
import type { Ids } from "./ids.ts";
import type { Random } from "./random.ts";
import type { Refusal } from "./refusal.ts";
import type { Result } from "./result.ts";

/**
 * The two forms every operation of the product has. A Proposal is a typed request to change state; a Query reads.
 * Both are plain data plus functions: the registry of them is the table of contents from which REST, MCP and the CLI
 * are made, and `access` is the whole of authorization.
 *
 * `OperationTypes` names the types a set of operations works on; `operations/core/define.ts` binds it once.
 */
export interface OperationTypes {
  /** Reads of one consistent state of the store. */
  readonly reads: object;
  /** The same reads, and the writes of one transaction. */
  readonly writes: object;
  /** What happened, to be recorded in the transaction and published after it. */
  readonly event: object;
  /** Parts outside the store: definitions, documents, personal context. */
  readonly services: object;
}

/** May this caller use the operation at all? What it may do it *to* is checked by the operation itself. */
export type Access = (caller: Caller) => Refusal | undefined;

export interface CallContext<W extends OperationTypes> {
  readonly caller: Caller;
  /** Wall time of the evaluation: one reading, so that everything it writes carries the same time. */
  readonly now: number;
  readonly services: W["services"];
}

export interface ReadContext<W extends OperationTypes> extends CallContext<W> {
  /**
   * Reads one consistent state. The work awaits nothing but the store it is given. What a `prepare` read may have
   * changed when the transaction starts: `execute` checks again what must hold.
   */
  read<T>(work: (store: W["reads"]) => Promise<T>): Promise<T>;
}

export interface ExecuteContext<W extends OperationTypes> extends CallContext<W> {
  readonly store: W["writes"];
  readonly newId: Ids;
  readonly random: Random;
  /** Recorded in this transaction, published after its commit, never before. */
  emit(event: W["event"]): Promise<void>;
  /**
   * Wakes the agent's loop once this is accepted: what the loop then asks of the store comes after it, and is answered
   * after the same commit. Only a hint: a lost wake costs time, never a message.
   */
  wake(agent: string): void;
  /**
   * Evaluates another proposal in this transaction, as the given caller or the same one. Its access rule is not asked
   * again: the outer proposal answers for it. When it is refused, its own changes are undone and nothing else.
   */
  propose<Input extends z.ZodType, Output extends z.ZodType>(
    proposal: Proposal<W, Input, Output, undefined>,
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
  W extends OperationTypes,
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
   * Slow work that must be on disk before the commit says so: files. Runs after the access check and before the
   * transaction. Must be idempotent: a crash may come between it and the commit.
   */
  prepare?(data: z.output<Input>, context: ReadContext<W>): Promise<Result<Prepared, Refusal>>;
  /**
   * Undoes what `prepare` staged when the transaction did not commit. Must not throw. A proposal that has it may use up
   * in `execute` what it staged: it is executed once.
   */
  abandon?(prepared: Prepared): void;
  /**
   * How often the proposal is evaluated, from `prepare` on, before `stale_revision` is the answer: what it prepared may
   * be outdated by the time its turn comes. Absent: once.
   */
  readonly attempts?: number;
  /**
   * Runs inside one transaction and awaits nothing but its context. A refusal undoes everything it wrote. Without
   * `abandon` it may be run a second time when a neighbour of its commit fails; only the last run counts.
   */
  execute(
    data: z.output<Input>,
    context: ExecuteContext<W>,
    prepared: Prepared,
  ): Promise<Result<z.output<Output>, Refusal>>;
}

export interface Query<W extends OperationTypes, Input extends z.ZodType, Output extends z.ZodType> extends Declaration<
  Input,
  Output
> {
  readonly kind: "query";
  readonly access: Access;
  answer(data: z.output<Input>, context: ReadContext<W>): Promise<Result<z.output<Output>, Refusal>>;
}

/** Operations of every shape, as a registry holds them. Only the System, which checked the data, calls them. */
export type AnyProposal<W extends OperationTypes> = Proposal<W, z.ZodType, z.ZodType, unknown>;
export type AnyQuery<W extends OperationTypes> = Query<W, z.ZodType, z.ZodType>;
export type AnyOperation<W extends OperationTypes> = AnyProposal<W> | AnyQuery<W>;

type ProposalBehaviour<W extends OperationTypes, Input extends z.ZodType, Output extends z.ZodType, Prepared> = Omit<
  Proposal<W, Input, Output, Prepared>,
  keyof Declaration<Input, Output> | "kind" | "ballotable"
> & { readonly ballotable?: boolean };

export function defineProposal<W extends OperationTypes>() {
  return <Input extends z.ZodType, Output extends z.ZodType, Prepared = undefined>(
    { name, summary, input, output }: Declaration<Input, Output>,
    behaviour: ProposalBehaviour<W, Input, Output, Prepared>,
  ): Proposal<W, Input, Output, Prepared> => ({
    ballotable: false,
    ...behaviour,
    kind: "proposal",
    name,
    summary,
    input,
    output,
  });
}

export function defineQuery<W extends OperationTypes>() {
  return <Input extends z.ZodType, Output extends z.ZodType>(
    { name, summary, input, output }: Declaration<Input, Output>,
    behaviour: Omit<Query<W, Input, Output>, keyof Declaration<Input, Output> | "kind">,
  ): Query<W, Input, Output> => ({ ...behaviour, kind: "query", name, summary, input, output });
}
