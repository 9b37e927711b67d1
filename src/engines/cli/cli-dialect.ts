import type { AgentDefinition, EngineName } from "../../domain/agent/definition.ts";
import type { ErrorClass } from "../../domain/delivery/retry.ts";
import type { Usage, StepProgress } from "../../ports/engine.ts";
import type { ToolEndpoint } from "../../ports/tools.ts";
import type { McpServers } from "../shared/mcp-servers.ts";
import type { PermissionDecision } from "../shared/permission-broker.ts";
import type { ProgramCall } from "../shared/program-call.ts";
import type { ProgramVariables } from "../shared/program-environment.ts";

/**
 * What one command line has of its own: how it is called, how it speaks, how it is asked whether it can be used. A
 * dialect is data and pure functions. Processes, timeouts, files, retries with a new session and the port's promises
 * are the base's business (`cli-engine.ts`), the same for all of them.
 */
export interface CliDialect extends ProgramVariables {
  readonly name: EngineName;
  /** Looked up on PATH. */
  readonly program: string;
  /** How to get the program, as one sentence without its full stop. */
  readonly install: string;
  /** How to log in, likewise. */
  readonly login: string;
  /** Throws an EngineFailure, `permanent`, when this agent cannot be run like this. */
  command(turn: CliTurn): CliCommand;
  /** A new one for each start of the program; told which session is gone on with. */
  reader(session: string | null): CliReader;
  readonly probe: CliProbe;
}

export interface CliTurn {
  readonly agent: AgentDefinition;
  readonly system: string;
  readonly prompt: string;
  /** Where the team's tools are; null where nothing listens for them. */
  readonly endpoint: ToolEndpoint | null;
  /** The agent's own, with references to the environment filled in. */
  readonly mcpServers: McpServers;
  /** What `provider` of the agent says, with the key it names; null when it says nothing. */
  readonly provider: CliProvider | null;
  /** The session to go on with, as `CliResult.session` once said; null for a new one. */
  readonly session: string | null;
  /** Absolute path of an empty folder of this turn alone (0700), where `CliCommand.files` will be. */
  readonly folder: string;
  /** Absolute path of the working folder of the program. */
  readonly cwd: string;
  /** What the program will find in its environment, but for what the command adds. */
  readonly env: Readonly<Record<string, string>>;
}

/** An address comes from a file of the project, which may be a stranger's: it never comes without a key of its own. */
export interface CliProvider {
  readonly name: string;
  readonly baseUrl: string | null;
  readonly apiKey: string | null;
}

export interface CliCommand {
  /** Short: long texts go through `stdin` and `files`, secrets through `files` and `env`. */
  readonly args: readonly string[];
  /** Null takes a variable away. */
  readonly env?: Readonly<Record<string, string | null>>;
  readonly stdin: string;
  /** Standard input stays open for answers, until the reader says that the turn is over. */
  readonly keepsStdinOpen?: boolean;
  /** By path relative to the turn's folder; written 0600 before the program starts, gone when it has ended. */
  readonly files?: Readonly<Record<string, string>>;
}

/**
 * Understands what the program prints. Lines may be anything: what is not understood is passed over, and nothing
 * throws. Tools of the team are named as the team names them.
 */
export interface CliReader {
  line(line: string): readonly CliEvent[];
  /** For a program that is answered: true when it waits for nothing more than the end of its input. */
  isDone?(): boolean;
  /** True when nothing that may follow can help: the program is ended at once, and `end` asked what came of it. */
  cannotSucceed?(): boolean;
  /**
   * Called once, after the last line. Partial text is never a result; null when the program did not say how it went.
   * A result with an exit code other than 0 is not believed, unless it says that it knows why.
   */
  end(exit: CliExit): CliOutcome | null;
}

export type CliEvent = StepProgress | CliPermissionRequest | CliReply;

/** The program asks whether it may, and waits for the line that `answer` makes of the decision. */
export interface CliPermissionRequest {
  readonly type: "question";
  readonly call: ProgramCall;
  answer(decision: PermissionDecision): string;
}

/** The program wants to hear this line. */
export interface CliReply {
  readonly type: "reply";
  readonly line: string;
}

export interface CliExit {
  /** Null when it was killed. */
  readonly code: number | null;
  /** The last of what it wrote to standard error. */
  readonly stderr: string;
  readonly nowMs: number;
}

export type CliOutcome = CliResult | CliFailure;

export interface CliResult {
  readonly kind: "result";
  readonly text: string;
  /** What a later turn needs to go on with the session; null when it cannot. Holds no secret. */
  readonly session: string | null;
  readonly usage: Usage;
  /** The program told of an error, got over it, and still ends with the code of it. */
  readonly exitCodeExplained?: boolean;
}

export interface CliFailure {
  readonly kind: "failure";
  readonly class: ErrorClass;
  /** What went wrong, in the program's words, one line. Never holds the prompt. */
  readonly message: string;
  readonly retryAfterMs?: number;
  readonly resetAtMs?: number;
  /** True when it is the session that cannot be gone on with: the turn is then made once more in a new one. */
  readonly sessionUnusable?: boolean;
}

/** Whether the program is there and somebody is logged in, asked without a model and without the network. */
export interface CliProbe {
  readonly versionArgs: readonly string[];
  /** Variables each of which is a login by itself. */
  readonly keys: readonly string[];
  /** Asks the program; null where it cannot say. Exit code 0 and `loggedIn` of its output (both outputs) mean yes. */
  readonly status: { readonly args: readonly string[]; loggedIn(output: string): boolean } | null;
}
