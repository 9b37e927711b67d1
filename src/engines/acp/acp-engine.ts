import { isAbsolute, resolve } from "node:path";
import { classifyFailure } from "../../domain/delivery/classify.ts";
import { EngineFailure, type Engine, type SessionSpec } from "../../ports/engine.ts";
import type { EngineParts } from "../shared/engine-module.ts";
import { nameableVariables, type Environment } from "../shared/environment.ts";
import { findProgram } from "../shared/find-program.ts";
import { programServers } from "../shared/mcp-servers.ts";
import { agentEnvironment, loginVariables, runVariables } from "../shared/program-environment.ts";
import { agentTimeouts, DEFAULT_TIMEOUTS, type ProgramTimeouts } from "../shared/silence-watch.ts";
import { startAcpAgent } from "./acp-agent.ts";
import { openAcpSession } from "./acp-session.ts";

export interface AcpEngineOptions
  extends Pick<EngineParts, "clock" | "log" | "env" | "projectVariables">, Partial<Pick<EngineParts, "bridge">> {
  readonly timeouts?: Partial<ProgramTimeouts>;
}

/** Keys of the program itself are named by the agent's definition: `env: {GEMINI_API_KEY: $GEMINI_API_KEY}`. */
const VARIABLES = { passes: ["XDG_*"], sets: {} };

/** Runs any program that speaks the Agent Client Protocol, named by `command` of the definition. */
export function createAcpEngine({ clock, log, env, bridge, ...options }: AcpEngineOptions): Engine {
  const timeouts = { ...DEFAULT_TIMEOUTS, ...options.timeouts };
  return {
    name: "acp",
    open: async (spec, signal) => {
      const [name = "", ...args] = spec.agent.command ?? [];
      const nameable = nameableVariables(env, options.projectVariables);
      const childEnv = { ...agentEnvironment(VARIABLES, spec.agent, env, nameable), ...runVariables(spec.endpoint) };
      const mcpServers = programServers(spec.agent, nameable, loginVariables(VARIABLES, env));
      const program = await locate(name, spec, env);
      signal.throwIfAborted();
      const agent = await startAcpAgent(
        {
          clock,
          timeouts: agentTimeouts(spec.agent.timeouts, timeouts),
          title: name,
          program: { program, args, cwd: spec.cwd, env: childEnv },
        },
        signal,
      ).catch((error: unknown) => {
        throw notStarted(name, error);
      });
      try {
        return await openAcpSession({ agent, spec, mcpServers, bridge, clock, log }, signal);
      } catch (error) {
        await agent[Symbol.asyncDispose]();
        throw error;
      }
    },
    [Symbol.asyncDispose]: async () => {},
  };
}

async function locate(name: string, { agent, cwd }: SessionSpec, env: Environment): Promise<string> {
  if (name === "") {
    throw new EngineFailure(
      "permanent",
      `${agent.name} runs on acp and names no program. Write it as a list: command: [opencode, acp].`,
    );
  }
  if (name.includes("/") || isAbsolute(name)) return resolve(cwd, name);
  const found = await findProgram(name, env["PATH"] ?? "");
  if (found !== null) return found;
  throw new EngineFailure(
    "permanent",
    `There is no program "${name}" on PATH, which ${agent.name} names in "command". Install it, or correct the name.`,
  );
}

function notStarted(name: string, error: unknown): unknown {
  if (!(error instanceof Error) || !("code" in error) || !("syscall" in error)) return error;
  const kind = classifyFailure(typeof error.code === "string" ? { code: error.code } : {});
  return new EngineFailure(kind, `"${name}" could not be started: ${error.message}. Check "command".`);
}
