import { stat } from "node:fs/promises";
import type { Clock } from "../../kernel/clock.ts";
import type { Log } from "../../kernel/log.ts";
import { createRedactor } from "../../kernel/redact.ts";
import { EngineFailure, type Engine, type SessionSpec } from "../../ports/engine.ts";
import type { Environment } from "../shared/environment.ts";
import type { CliDialect } from "./cli-dialect.ts";
import { cliEnvironment, cliProvider, cliServers, runVariables } from "../shared/program-environment.ts";
import { openCliSession } from "./cli-session.ts";
import { findProgram } from "../shared/find-program.ts";
import type { CliPatience } from "../shared/silence-watch.ts";

export interface CliEngineOptions {
  readonly clock: Clock;
  readonly log: Log;
  /** The daemon's environment, of which little is passed on. */
  readonly env: Environment;
  readonly patience?: Partial<CliPatience>;
}

/** A program may be at a long command of its own, and says nothing meanwhile. */
const DEFAULT_PATIENCE: CliPatience = { startMs: 120_000, idleMs: 20 * 60_000 };

/** The engine of one command line. Nothing runs between two turns, so the engine itself holds nothing. */
export function createCliEngine(dialect: CliDialect, options: CliEngineOptions): Engine {
  const { clock, log, env } = options;
  const patience = { ...DEFAULT_PATIENCE, ...options.patience };
  return {
    name: dialect.name,
    open: async (spec, signal) => {
      const { agent, endpoint, cwd, system } = spec;
      const childEnv = cliEnvironment(dialect, agent, env);
      const provider = cliProvider(agent, env);
      const mcpServers = cliServers(agent, env);
      const program = await locate(dialect, env);
      await checkFolder(spec);
      signal.throwIfAborted();
      const secrets = [endpoint?.token, provider?.apiKey].filter((secret) => typeof secret === "string");
      return openCliSession({
        dialect,
        clock,
        log,
        patience,
        program,
        spec,
        variables: runVariables(endpoint),
        common: { agent, system, endpoint, mcpServers, provider, cwd, env: childEnv },
        redact: createRedactor({ secrets }).redact,
      });
    },
    [Symbol.asyncDispose]: async () => {},
  };
}

/** On the daemon's own PATH: which program gets the person's login is not for a project to say. */
async function locate({ program, title, install }: CliDialect, env: Environment): Promise<string> {
  const found = await findProgram(program, env["PATH"] ?? "");
  if (found !== null) return found;
  throw new EngineFailure("permanent", `${title} is not installed: there is no "${program}" on PATH. ${install}.`);
}

async function checkFolder({ agent, cwd }: SessionSpec): Promise<void> {
  const isFolder = await stat(cwd).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (isFolder) return;
  throw new EngineFailure(
    "permanent",
    `The working folder of ${agent.name} does not exist: ${cwd}. Make it, or change "cwd".`,
  );
}
