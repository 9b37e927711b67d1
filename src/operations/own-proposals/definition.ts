import type { z } from "zod";
import type { BallotView } from "../../contract/ballots.ts";
import type { Refusal } from "../../kernel/refusal.ts";

/**
 * The public interface of own proposals: what the files in `.agents/proposals/`, and programs that embed the daemon,
 * write and are given. It stays compatible, so it names nothing of the store or the kernel.
 */
export interface ProposalDefinition<
  Input extends z.ZodObject = z.ZodObject,
  Output extends z.ZodType = z.ZodType,
  Prepared = unknown,
> {
  /** Lower-case letters, digits, `_` and `-`. The name of the tool, of the route, and for `agent-worker call`. */
  readonly name: string;
  /** One sentence for people and models. */
  readonly summary: string;
  readonly input: Input;
  /** Absent: whatever `execute` returns, as JSON. */
  readonly output?: Output;
  readonly access: ProposalAccess;
  /** A ballot may propose it, with `propose: NAME`. Not together with `prepare`. */
  readonly ballotable?: boolean;
  /** How long `prepare` may take, in milliseconds; 60,000 by default. */
  readonly prepareTimeoutMs?: number;
  /** Whatever takes long, before the transaction: running a command, calling a server, reading a file. */
  prepare?(data: z.output<Input>, context: PrepareContext): MayRefuse<Prepared>;
  /**
   * Runs in one transaction, which every other writer of the project waits for. It awaits nothing but its context. It
   * may run a second time before it counts, so it changes nothing outside. A refusal undoes everything it did.
   */
  execute(data: z.output<Input>, context: ProposalContext, prepared: Prepared): MayRefuse<z.input<Output>>;
}

type MayRefuse<T> = Promise<T | ProposalRefusal> | T | ProposalRefusal;

export type ProposalAccess =
  | "person"
  | "agents"
  | "everyone"
  | {
      readonly person?: boolean;
      /** All agents, or those with these names. */
      readonly agents?: boolean | readonly string[];
      /** Agents only in the workspaces of these workflows. */
      readonly workflows?: readonly string[];
    };

/** Who calls. A rule of a person has the name `rule:NAME`; a ballot that was decided calls as `system`. */
export interface ProposalCaller {
  readonly kind: "person" | "agent" | "rule" | "ballot";
  readonly name: string;
  /** The run in which an agent calls. */
  readonly run: string | null;
}

export interface ProposalReads {
  readonly caller: ProposalCaller;
  /** The same for everything that one call does. */
  readonly now: Date;
  /** `@review:main`, or the name of an agent for its direct messages. Null: a person named no `target`. */
  readonly space: string | null;
  /** Absolute path. */
  readonly projectDir: string;
  /** The last messages of the space, oldest first; 50 unless told otherwise, 500 at most. */
  messages(options?: { readonly limit?: number; readonly contains?: string }): Promise<readonly ProposalMessage[]>;
  /** The open ballots of the space, newest first; with `all` the closed ones too. */
  ballots(options?: { readonly all?: boolean; readonly limit?: number }): Promise<readonly BallotView[]>;
  /** The agents that take part in the space. */
  members(): Promise<readonly { readonly name: string; readonly role: string | null }[]>;
}

export interface ProposalMessage {
  readonly id: string;
  readonly from: string;
  readonly text: string;
  readonly mentions: readonly string[];
  readonly at: Date;
}

export interface PrepareContext extends ProposalReads {
  /** Aborted when the time is over. */
  readonly signal: AbortSignal;
  /** The documents of the workspace. */
  documents(): Promise<readonly { readonly file: string; readonly bytes: number }[]>;
  /** Undefined when there is none of that name. */
  readDocument(file: string): Promise<string | undefined>;
  readonly state: { get(): Promise<unknown> };
}

export interface ProposalContext extends ProposalReads {
  /** One JSON value for each proposal and space, 64 KiB at most. `set(undefined)` removes it. */
  readonly state: { get(): Promise<unknown>; set(value: unknown): Promise<void> };
  /** Posts in the space, as `proposal:NAME`. A mention wakes its agent. `to` addresses one participant. */
  post(text: string, options?: { readonly to?: string }): Promise<{ readonly id: string }>;
  /**
   * Makes another proposal in the same transaction and as the same caller: a built-in one, or an own one without
   * `prepare`. Its access rule is not asked: this proposal is responsible. Throws when it is refused, unless caught: a
   * refusal undoes only the inner one.
   */
  propose(name: string, data?: Readonly<Record<string, unknown>>): Promise<unknown>;
  /** Recorded with the transaction and published after it, as an event `proposal.event`. */
  emit(name: string, data?: unknown): Promise<void>;
}

/** Why a proposal says no. Made with `refuse`. */
export interface ProposalRefusal {
  readonly refusal: Pick<Refusal, "code" | "message" | "hint">;
}

const REFUSED = Symbol.for("agent-worker.refusal");
const DEFINED = Symbol.for("agent-worker.proposal");

type ProposalRefusalCode = Extract<
  Refusal["code"],
  "invalid" | "forbidden" | "not_found" | "conflict" | "closed" | "limited" | "failed"
>;

/** Returned by `prepare` or `execute` to say no. `hint` says what to do next. */
export function refuse(
  code: ProposalRefusalCode,
  message: string,
  more: { readonly hint?: string } = {},
): ProposalRefusal {
  return Object.assign({ refusal: { code, message, ...more } }, { [REFUSED]: true });
}

export function refusalIn(value: unknown): ProposalRefusal["refusal"] | undefined {
  if (typeof value !== "object" || value === null || !(REFUSED in value)) return undefined;
  return (value as unknown as ProposalRefusal).refusal;
}

/** Defines a proposal. Nothing happens before a project or a daemon uses it. */
export function defineProposal<Input extends z.ZodObject, Output extends z.ZodType = z.ZodType, Prepared = undefined>(
  definition: ProposalDefinition<Input, Output, Prepared>,
): ProposalDefinition {
  return { ...definition, [DEFINED]: true } as unknown as ProposalDefinition;
}

/** Also true for what another copy of this program has defined. */
export function isDefinition(value: unknown): value is ProposalDefinition {
  return typeof value === "object" && value !== null && DEFINED in value;
}
