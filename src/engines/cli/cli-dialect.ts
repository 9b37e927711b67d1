import type { AgentDefinition, EngineName } from "../../domain/agent/definition.ts";
import type { ErrorClass } from "../../domain/delivery/retry.ts";
import type { AnswerCut } from "../../domain/message/answer-cut.ts";
import type { ImageContent, Usage, StepProgress } from "../../ports/engine.ts";
import type { ToolEndpoint } from "../../ports/tools.ts";
import type { McpServers } from "../shared/mcp-servers.ts";
import type { PermissionDecision } from "../shared/permission-broker.ts";
import type { ProgramCall } from "../shared/program-call.ts";
import type { ProgramVariables } from "../shared/program-environment.ts";

/**
 * What is specific to one command line: how it is called, how its output is read, how it is probed. A dialect is data
 * and pure functions. Processes, timeouts, files, retries with a new session and the contract of the port are the same
 * for all of them and belong to the base (`cli-engine.ts`).
 */
export interface CliDialect extends ProgramVariables {
  readonly name: EngineName;
  /** Name of the program for people. */
  readonly title: string;
  /** Searched on PATH. */
  readonly program: string;
  /** How to install the program, as one sentence without its full stop. */
  readonly install: string;
  /** How to log in, likewise. */
  readonly login: string;
  /** Throws an EngineFailure, `permanent`, when this agent cannot run on the program. */
  command(turn: CliTurn): CliCommand;
  /** Returns a new reader for each start of the program. `session` is the session that is resumed. */
  reader(session: string | null): CliReader;
  readonly probe: CliProbe;
}

export interface CliTurn {
  readonly agent: AgentDefinition;
  readonly system: string;
  readonly prompt: string;
  /** To be given to the model with the prompt. Empty for a program that takes none: see `showsImages`. */
  readonly images: readonly ImageContent[];
  /** Where the team's tools are served; null where they are not. */
  readonly endpoint: ToolEndpoint | null;
  /** The agent's own, with references to the environment replaced. */
  readonly mcpServers: McpServers;
  /** The agent's `provider`, with the value of its key; null when there is none. */
  readonly provider: CliProvider | null;
  /** The session to resume, from `CliResult.session`; null for a new one. */
  readonly session: string | null;
  /** Absolute path of an empty folder of this turn alone (0700), where `CliCommand.files` are written. */
  readonly folder: string;
  /** Absolute path of the working folder of the program. */
  readonly cwd: string;
  /** Absolute paths that the program must not read, besides `PRIVATE_NAMES`. */
  readonly privateFolders: readonly string[];
  /** The environment of the program, without what the command adds. */
  readonly env: Readonly<Record<string, string>>;
}

/** `baseUrl` is from a file of the project, which the person may not have written: it always has its own `apiKey`. */
export interface CliProvider {
  readonly name: string;
  readonly baseUrl: string | null;
  readonly apiKey: string | null;
}

export interface CliCommand {
  /** Short: long texts go through `stdin` and `files`, secrets through `files` and `env`. */
  readonly args: readonly string[];
  /** Null removes a variable. */
  readonly env?: Readonly<Record<string, string | null>>;
  readonly stdin: string;
  /** Standard input stays open for answers until the reader's `isDone`. */
  readonly keepsStdinOpen?: boolean;
  /** By path relative to the turn's folder; written 0600 before the program starts, removed when it has ended. */
  readonly files?: Readonly<Record<string, string>>;
}

/**
 * Reads the output of one start of the program. Lines that are not understood are ignored; nothing throws. Tools of the
 * team get the team's names.
 */
export interface CliReader {
  line(line: string): readonly CliEvent[];
  /** With `keepsStdinOpen`: true when the program waits only for the end of its input. */
  isDone?(): boolean;
  /** True when the turn can no longer succeed: the program is ended at once and `end` is called. */
  cannotSucceed?(): boolean;
  /**
   * Called once, after the last line. Partial text is never a result; null when the program did not report an outcome.
   * A result with an exit code other than 0 counts as a failure unless `exitCodeExplained`.
   */
  end(exit: CliExit): CliOutcome | null;
}

export type CliEvent = StepProgress | CliPermissionRequest | CliReply;

/** The program asks for a permission and waits for the line that `answer` returns. */
export interface CliPermissionRequest {
  readonly type: "question";
  readonly call: ProgramCall;
  answer(decision: PermissionDecision): string;
}

/** A line to write to the program. */
export interface CliReply {
  readonly type: "reply";
  readonly line: string;
}

export interface CliExit {
  /** Null when it was killed. */
  readonly code: number | null;
  /** The end of its standard error. */
  readonly stderr: string;
  readonly nowMs: number;
}

export type CliOutcome = CliResult | CliFailure;

export interface CliResult {
  readonly kind: "result";
  readonly text: string;
  /** What a later turn needs to resume the session; null when it cannot be resumed. Holds no secret. */
  readonly session: string | null;
  readonly usage: Usage;
  /** Why the text is not whole; absent when it is, or when the program does not say. */
  readonly cut?: AnswerCut;
  /** The program reported an error, recovered from it, and still ends with its exit code. */
  readonly exitCodeExplained?: boolean;
}

export interface CliFailure {
  readonly kind: "failure";
  readonly class: ErrorClass;
  /** What went wrong, in the program's words, one line. Never holds the prompt. */
  readonly message: string;
  readonly retryAfterMs?: number;
  readonly resetAtMs?: number;
  /** The session cannot be resumed: the turn is repeated once in a new one. */
  readonly sessionUnusable?: boolean;
}

/** How to find out whether the program is installed and logged in, without a model and without the network. */
export interface CliProbe {
  readonly versionArgs: readonly string[];
  /** Variables each of which is enough as a login. */
  readonly keys: readonly string[];
  /** Null when the program cannot report it. Exit code 0 and `loggedIn` of its output (both streams) mean yes. */
  readonly status: { readonly args: readonly string[]; loggedIn(output: string): boolean } | null;
}
