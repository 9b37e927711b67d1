import type { AgentDefinition, EngineName } from "../domain/agent/definition.ts";
import type { PersonalFolders } from "../domain/agent/private-paths.ts";
import type { Usage } from "../domain/budget/usage.ts";
import type { ErrorClass } from "../domain/delivery/retry.ts";
import type { AnswerCut } from "../domain/message/answer-cut.ts";
import type { ImageType } from "../domain/message/image.ts";
import type { Approvals, ToolEndpoint, ToolHost } from "./tools.ts";

export type { Cost, Usage } from "../domain/budget/usage.ts";

/**
 * Executes steps: a model API, a command line, a script. An engine knows nothing of inboxes, channels or workflows: it
 * gets a prompt and tools and returns events. All agents that name an engine share it; a session belongs to one run.
 */
export interface Engine extends AsyncDisposable {
  readonly name: EngineName;
  /**
   * Prepares the execution of a run, from the beginning or from `transcript`. May be slow; starts nothing that costs
   * money. Throws an EngineFailure, `permanent` when the agent can never run like this (no such program, no key,
   * unknown model), with a message that says what to do.
   */
  open(spec: SessionSpec, signal: AbortSignal): Promise<EngineSession>;
}

export interface SessionSpec {
  readonly run: string;
  /** The effective definition: base and workflow overrides merged. */
  readonly agent: AgentDefinition;
  /** The whole system prompt. The same bytes for the same agent and workspace, so that providers can cache it. */
  readonly system: string;
  /** Whole transcript up to the last finished step, written by the same engine; null for a new run. */
  readonly transcript: string | null;
  /**
   * Returns the transcript of the agent's last run in this space on the same engine, for engines whose program can
   * resume an old session; null when there is none. Read only on call.
   */
  readonly previous: () => Promise<string | null>;
  readonly tools: ToolHost;
  /** The same tools for engines whose model runs in a separate program; null where they are not served. */
  readonly endpoint: ToolEndpoint | null;
  /** For calls that a program makes with tools of its own. */
  readonly approvals: Approvals;
  /** Absolute folder the engine works in. */
  readonly cwd: string;
  /** The images of the run's messages. Absent: none. */
  readonly images?: SessionImages;
  /** Relative to the project: what the agent may read, and what is private to others. */
  readonly personalFolders: PersonalFolders;
}

/** A transcript names an image and never holds its bytes. */
export interface SessionImages {
  /** To be given to the model with the prompt, in this order. Empty for an engine that shows none. */
  readonly shown: readonly ImageReference[];
  /** Returns null when the image is not there any more. */
  read(resource: string): Promise<ImageContent | null>;
}

export interface ImageReference {
  readonly resource: string;
  readonly type: ImageType;
}

export interface ImageContent {
  readonly type: ImageType;
  /** In base64. */
  readonly data: string;
}

/**
 * Executes one step after another, never two at once. Disposing ends every process and connection of the session at any
 * time, is idempotent and does not throw.
 */
export interface EngineSession extends AsyncDisposable {
  /** The model that is asked, as `provider/model`; `engine/model` where the program does not say who serves it. */
  readonly model: string;
  /**
   * One step: a model call with its tool calls, or for a command line its whole turn. The events end with exactly one
   * `end`, or the iteration throws an EngineFailure. An aborted signal ends it soon, by throwing the signal's reason.
   * Text streamed before a failure is never an answer.
   */
  step(input: StepInput, signal: AbortSignal): AsyncIterable<StepEvent>;
}

export interface StepInput {
  /** Steps of a run count from 1, also over restarts. */
  readonly number: number;
  /** Null when a step continues the one before. */
  readonly prompt: string | null;
}

export type StepEvent =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "tool-call"; readonly id: string; readonly tool: string; readonly args: unknown }
  | {
      readonly type: "tool-result";
      readonly id: string;
      readonly tool: string;
      /** At least for a call that had waited for an approval: it was announced in a step before. */
      readonly args?: unknown;
      readonly content: string;
      readonly isError: boolean;
    }
  | StepEnd;

/** Every event but the last. */
export type StepProgress = Exclude<StepEvent, StepEnd>;

export interface StepEnd {
  readonly type: "end";
  /** JSON from which the next step can continue, also in another process. Holds no secret. */
  readonly transcript: string;
  /** True: the transcript is a list of what this step added to that of the step before. Absent: it is whole. */
  readonly continues?: boolean;
  /** True when the run is complete: `text` is the answer. */
  readonly finished: boolean;
  readonly text: string;
  /** Why the text is not the whole answer of the model; absent when it is. */
  readonly cut?: AnswerCut;
  /** Id of the approval the run has to wait for before its next step; null when there is none. */
  readonly waitsFor: string | null;
  readonly usage: Usage;
}

/**
 * Why a step, or opening a session, failed. The class decides what happens to the deliveries:
 * `domain/delivery/retry.ts`.
 */
export class EngineFailure extends Error {
  readonly class: ErrorClass;
  readonly retryAfterMs: number | undefined;
  readonly resetAtMs: number | undefined;
  /**
   * The process that ended also executed steps of other runs, and this one may have had no part in its end. The same step
   * can be made again on the same session, at no cost to the run: the engine gives it a process of its own.
   */
  readonly shared: boolean;

  constructor(
    kind: ErrorClass,
    message: string,
    options: {
      readonly cause?: unknown;
      readonly retryAfterMs?: number;
      readonly resetAtMs?: number;
      readonly shared?: boolean;
    } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "EngineFailure";
    this.class = kind;
    this.retryAfterMs = options.retryAfterMs;
    this.resetAtMs = options.resetAtMs;
    this.shared = options.shared ?? false;
  }
}
