import { fileURLToPath } from "node:url";
import type { SilenceLimits } from "../../domain/agent/definition.ts";
import { definedVariables } from "../../domain/agent/variable-references.ts";
import { createRedactor } from "../../kernel/redact.ts";
import type { Engine, SessionSpec } from "../../ports/engine.ts";
import type { EngineParts } from "../shared/engine-module.ts";
import { nameableVariables, workerEnvironment, type Environment } from "../shared/environment.ts";
import { valueOrFailure } from "../shared/failure-text.ts";
import { expandServers } from "../shared/mcp-servers.ts";
import type { SessionSetup } from "./protocol.ts";
import type { PackagePlaces } from "./provider-packages.ts";
import { resolveModel, withModule } from "./resolve-model.ts";
import { openSdkSession } from "./sdk-session.ts";
import type { PhaseTimeouts } from "./watchdog.ts";
import { createWorkerPool } from "./worker-pool.ts";

/**
 * Calls models through the AI SDK. Each session has its own worker process: one that runs out of memory, crashes or
 * hangs affects no other. Creating the engine starts `poolSize` of them, so create it when the first agent needs it.
 */
export interface SdkEngineOptions extends Pick<EngineParts, "clock" | "random" | "log"> {
  /** Idle workers to hold ready. 0: each session starts its own. */
  readonly poolSize?: number;
  /** Heap of one worker. */
  readonly memoryLimitMb?: number;
  /** The daemon's environment, with keys and proxies. */
  readonly env?: Environment;
  readonly projectVariables?: () => Environment;
  readonly storedKeys?: () => Promise<Environment>;
  readonly packages?: PackagePlaces;
  readonly timeouts?: PhaseTimeouts;
  /** The program of a worker. */
  readonly workerEntry?: string;
}

const DEFAULT_POOL_SIZE = 2;
export const DEFAULT_MEMORY_LIMIT_MB = 512;
/** Long, because models think for minutes without any output. Those of the model can be set: `timeouts` of an agent. */
const DEFAULT_TIMEOUTS: PhaseTimeouts = {
  worker: 60_000,
  mcp: 60_000,
  connect: 10_000,
  headers: 5 * 60_000,
  body: 4 * 60_000,
  step: 30 * 60_000,
};

export function createSdkEngine(options: SdkEngineOptions): Engine {
  const { clock, random, log, env = process.env } = options;
  const engineTimeouts = { ...DEFAULT_TIMEOUTS, ...options.timeouts };
  const pool = createWorkerPool({
    size: options.poolSize ?? DEFAULT_POOL_SIZE,
    worker: {
      entry: options.workerEntry ?? workerProgram(),
      env: workerEnvironment(env),
      memoryLimitMb: options.memoryLimitMb ?? DEFAULT_MEMORY_LIMIT_MB,
    },
    clock,
    random,
    log,
  });

  return {
    name: "sdk",
    open: async (spec, signal) => {
      const known = { ...env, ...(await options.storedKeys?.()) };
      const nameable = nameableVariables(known, options.projectVariables);
      const setup = setupOf(spec, known, nameable, options.packages ?? {});
      pool.preload(setup.model.module);
      const { redact } = createRedactor({ secrets: setup.model.apiKey === null ? [] : [setup.model.apiKey] });
      const warn = (message: string): void => log.warn(message, { run: spec.run, agent: spec.agent.name });
      const timeouts = { ...engineTimeouts, ...ownTimeouts(spec.agent.timeouts) };
      const context = { clock, timeouts, target: setup.model, tools: spec.tools, redact, warn };
      return openSdkSession(setup, pool, context, signal);
    },
    [Symbol.asyncDispose]: () => pool[Symbol.asyncDispose](),
  };
}

function ownTimeouts({ connectMs, firstByteMs, betweenMs, stepMs }: SilenceLimits = {}): PhaseTimeouts {
  return {
    ...(connectMs === undefined ? {} : { connect: connectMs }),
    ...(firstByteMs === undefined ? {} : { headers: firstByteMs }),
    ...(betweenMs === undefined ? {} : { body: betweenMs }),
    ...(stepMs === undefined ? {} : { step: stepMs }),
  };
}

function setupOf(
  { agent, system, tools, cwd, transcript }: SessionSpec,
  env: Environment,
  nameable: Environment,
  packages: PackagePlaces,
): SessionSetup {
  return {
    model: valueOrFailure(withModule(valueOrFailure(resolveModel(agent, env, nameable)), packages)),
    system,
    tools: tools.list(),
    unlistedTools: tools.unlisted?.() ?? [],
    mcpServers: expandServers(agent.mcpServers, nameable),
    ...(agent.permissions === undefined ? {} : { permissions: agent.permissions }),
    mcpEnvironment: { ...workerEnvironment(env), ...valueOrFailure(definedVariables(agent.env, nameable)) },
    cwd,
    maxOutputTokens: agent.maxTokens ?? null,
    transcript,
  };
}

/** Beside this file, with the same extension: .ts from the sources, .js from the published package. */
export function workerProgram(): string {
  const ending = import.meta.url.endsWith(".ts") ? "ts" : "js";
  return fileURLToPath(new URL(`./worker.${ending}`, import.meta.url));
}
