/** The tools of one run, from all sources: the team's operations, a shell, skills, the agent's own MCP servers. */
export interface ToolHost {
  /**
   * In a fixed order, the same for the same agent and workspace. Names are unique. A grant changes the end of the list
   * while the run goes on: engines read it before each step.
   */
  list(): readonly ToolSpec[];
  /** Names that can be called as well, but that no model is shown. Absent: none. */
  unlisted?(): readonly string[];
  /**
   * Executes a call. Everything an agent can react to (bad arguments, a refusal, a failing command) is a result with
   * `isError`; it throws only the signal's reason. A call that a person must approve first is not executed and returns
   * `approval`; the same call (same id) made again after the decision is executed, or refused with the person's reason.
   */
  call(call: ToolCall, signal: AbortSignal): Promise<ToolOutcome>;
  /**
   * Returns what people read in place of the arguments of a call, before it is made, while it waits and afterwards: a
   * file that is written whole, as the lines that change. Undefined: the arguments. Absent: always the arguments.
   */
  shown?(call: ToolCall): Promise<unknown>;
}

/** The same tools for a program outside this process: MCP over HTTP, with a token that is valid during the run. */
export interface ToolEndpoint {
  readonly url: string;
  readonly token: string;
}

export interface ToolSpec {
  readonly name: string;
  readonly description: string;
  /** JSON Schema (draft 7) of an object. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

export interface ToolCall {
  /** Unique within the run. */
  readonly id: string;
  readonly tool: string;
  readonly args: unknown;
}

/** A call that a person decides on. */
export interface QuestionedCall extends ToolCall {
  /** What the person reads in place of the arguments: a file that is written whole, as the lines that change. */
  readonly shown?: unknown;
}

/** Lets an engine ask a person about a call that its program is about to make. */
export interface Approvals {
  /** Asks once for each call. The same call again (same id and arguments) returns the current answer. */
  ask(call: QuestionedCall): Promise<ApprovalAnswer>;
  /** Returns the current answer to a question of this run, by the id in `pending`. */
  answer(approval: string): Promise<ApprovalAnswer>;
}

/**
 * The decision of a person about a call; `pending` while there is none: then the run waits for the approval of that id.
 */
export type ApprovalAnswer =
  | { readonly approved: true }
  | { readonly approved: false; readonly reason: string }
  | { readonly pending: string };

export type ToolOutcome =
  /** `structured` is the same content as data, where the tool has it. */
  | { readonly kind: "result"; readonly content: string; readonly isError: boolean; readonly structured?: unknown }
  | { readonly kind: "approval"; readonly approval: string };
