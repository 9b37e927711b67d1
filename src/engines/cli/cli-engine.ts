import { stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import type { AgentDefinition } from "../../domain/agent/definition.ts";
import { definedVariables } from "../../domain/agent/variable-references.ts";
import { createRedactor } from "../../kernel/redact.ts";
import { EngineFailure, type Engine, type SessionSpec } from "../../ports/engine.ts";
import type { EngineModule, EngineParts } from "../shared/engine-module.ts";
import { nameableVariables, type Environment } from "../shared/environment.ts";
import { valueOrFailure } from "../shared/failure-text.ts";
import { findProgram } from "../shared/find-program.ts";
import { programServers } from "../shared/mcp-servers.ts";
import { agentEnvironment, loginVariables, runVariables } from "../shared/program-environment.ts";
import { privateFolders } from "../shared/project-folder.ts";
import { agentTimeouts, DEFAULT_TIMEOUTS, type ProgramTimeouts } from "../shared/silence-watch.ts";
import type { CliDialect, CliProvider } from "./cli-dialect.ts";
import { openCliSession } from "./cli-session.ts";
import { probeCli } from "./probe-cli.ts";

export interface CliEngineOptions extends Pick<EngineParts, "clock" | "log" | "env" | "projectVariables"> {
  readonly timeouts?: Partial<ProgramTimeouts>;
}

/** What the folder of a command line exports as its engine. */
export function cliEngineModule(dialect: CliDialect): EngineModule {
  const { name, program } = dialect;
  return {
    maxSessions: 8,
    create: (parts) => createCliEngine(dialect, parts),
    probe: async (machine) => {
      // In a folder without a project, so that no project changes what the program does.
      const probed = await probeCli(dialect, { ...machine, cwd: tmpdir() }, new AbortController().signal);
      const { program: path, version, login, advice } = probed;
      // Without the full stop, because people copy the text after the colon.
      const next = advice?.replace(/\.$/, "") ?? null;
      return { name, program, found: path !== null, path, version, login, next };
    },
  };
}

/** The engine of one command line. No process runs between two turns, so the engine itself holds nothing. @internal */
export function createCliEngine(dialect: CliDialect, options: CliEngineOptions): Engine {
  const { clock, log, env } = options;
  const timeouts = { ...DEFAULT_TIMEOUTS, ...options.timeouts };
  return {
    name: dialect.name,
    open: async (spec, signal) => {
      const { agent, endpoint, cwd, system } = spec;
      const nameable = nameableVariables(env, options.projectVariables);
      const programEnv = agentEnvironment(dialect, agent, env, nameable);
      const provider = cliProvider(agent, nameable);
      const mcpServers = programServers(agent, nameable, [
        ...new Set([...loginVariables(dialect, env), ...dialect.probe.keys]),
      ]);
      const program = await locate(dialect, env);
      await checkFolder(spec);
      signal.throwIfAborted();
      const secrets = [endpoint?.token, provider?.apiKey].filter((secret) => typeof secret === "string");
      return openCliSession({
        dialect,
        clock,
        log,
        timeouts: agentTimeouts(agent.timeouts, timeouts),
        program,
        spec,
        variables: runVariables(endpoint),
        common: {
          agent,
          system,
          endpoint,
          mcpServers,
          provider,
          cwd,
          env: programEnv,
          privateFolders: privateFolders(spec),
        },
        redact: createRedactor({ secrets }).redact,
      });
    },
    [Symbol.asyncDispose]: async () => {},
  };
}

/** Searches the daemon's own PATH: a project must not choose the program that gets the person's login. */
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

function cliProvider(
  { name: agentName, provider, env: own }: Pick<AgentDefinition, "name" | "provider" | "env">,
  env: Environment,
): CliProvider | null {
  if (provider === undefined) return null;
  const { name, baseUrl = null, apiKeyEnv = null } = { baseUrl: undefined, apiKeyEnv: undefined, ...provider };
  if (baseUrl !== null && apiKeyEnv === null) {
    throw new EngineFailure(
      "permanent",
      `The provider of ${agentName} has a base_url and no api_key, and your login is not sent to an address of the ` +
        `project. Name the variable that holds its key: api_key: $NAME.`,
    );
  }
  const keys = { ...env, ...valueOrFailure(definedVariables(own, env)) };
  const apiKey = apiKeyEnv === null ? null : keys[apiKeyEnv];
  if (apiKey === undefined) {
    throw new EngineFailure(
      "permanent",
      `The environment variable ${apiKeyEnv ?? ""} is not set. Set it and try again.`,
    );
  }
  return { name, baseUrl, apiKey };
}
