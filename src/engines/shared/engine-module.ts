import type { AgentDefinition, EngineName } from "../../domain/agent/definition.ts";
import type { MockScript } from "../../domain/agent/mock-script.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { Log } from "../../kernel/log.ts";
import type { Random } from "../../kernel/random.ts";
import type { Refusal } from "../../kernel/refusal.ts";
import type { Result } from "../../kernel/result.ts";
import type { Engine } from "../../ports/engine.ts";
import type { ToolEndpoint } from "../../ports/tools.ts";
import type { PackagePlaces } from "../sdk/provider-packages.ts";
import type { Environment } from "./environment.ts";
import type { ServerCommand } from "./mcp-servers.ts";

/** What the `engine.ts` of an engine's folder exports as `engine`. */
export interface EngineModule {
  /** Sessions that may be open at the same time: most are a process or several. */
  readonly maxSessions: number;
  create(parts: EngineParts): Engine;
  /** Finds out whether the engine can be used on this machine. Needs no daemon and no project, calls no model. */
  probe(machine: Pick<EngineParts, "env" | "clock" | "packages">): Promise<EngineStatus>;
}

/** What the daemon offers every engine. */
export interface EngineParts {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** The daemon's environment. */
  readonly env: Environment;
  /** Variables of the project's `.env`, for names that a definition gives. Absent: none. */
  readonly projectVariables?: () => Environment;
  /** Keys of providers that the person keeps in the home, by the names of their variables. Absent: none. */
  readonly storedKeys?: () => Promise<Environment>;
  /** Where the packages of providers are looked for, besides the program. Absent: nowhere else. */
  readonly packages?: PackagePlaces;
  /** Returns the script of an agent, null for none. A refusal says why the agent cannot run. */
  readonly scripts: (agent: AgentDefinition) => Result<MockScript | null, Refusal>;
  /** Returns a command that offers the tools of an endpoint on its standard input and output. */
  readonly bridge: (endpoint: ToolEndpoint) => ServerCommand;
}

/** The state of an engine on this machine. */
export interface EngineStatus {
  readonly name: EngineName;
  /** The program that must be installed; null for engines that are part of agent-worker. */
  readonly program: string | null;
  readonly found: boolean;
  /** Absolute; null when there is no program or it was not found. */
  readonly path: string | null;
  readonly version: string | null;
  /** `unknown`: the program does not say. */
  readonly login: "yes" | "no" | "unknown";
  /** What the person has to do before it can be used; null when nothing is known to be missing. */
  readonly next: string | null;
}

/** The status of an engine that needs no program. */
export function builtInStatus({ name, login, next }: Pick<EngineStatus, "name" | "login" | "next">): EngineStatus {
  return { program: null, found: true, path: null, version: null, name, login, next };
}
