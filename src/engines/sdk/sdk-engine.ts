import { availableParallelism, totalmem } from "node:os";
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
import { createSuspicions } from "./suspicion.ts";
import { createWorkerPool, type WorkerPool } from "./worker-pool.ts";

/**
 * Calls models through the AI SDK, in worker processes that many sessions share. When one ends, the steps that were
 * underway in it are made again, each in a process of its own, and only a run that ends that one too pays for it. Creating
 * the engine starts `poolSize` workers, so create it when the first agent needs it.
 */
export interface SdkEngineOptions extends Pick<EngineParts, "clock" | "random" | "log"> {
  /** Workers to hold ready. 0: each session starts its own. */
  readonly poolSize?: number;
  /** Workers that can work at the same time. */
  readonly cores?: number;
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
const DEFAULT_MEMORY_LIMIT_MB = 512;
/** Of the memory of the machine, for all workers together. */
const SHARE_OF_MEMORY = 0.5;
const FEWEST_WORKERS = 4;
/** Long, because models think for minutes without any output. Those of the model can be set: `timeouts` of an agent. */
const DEFAULT_TIMEOUTS = {
  worker: 60_000,
  mcp: 60_000,
  connect: 10_000,
  headers: 5 * 60_000,
  body: 4 * 60_000,
  step: 30 * 60_000,
} as const satisfies PhaseTimeouts;

export function createSdkEngine(options: SdkEngineOptions): Engine {
  const { clock, log } = options;
  // A copy, because each look into `process.env` asks the system.
  const env = { ...(options.env ?? process.env) };
  const engineTimeouts = { ...DEFAULT_TIMEOUTS, ...options.timeouts };
  const cores = options.cores ?? availableParallelism();
  const pool = openWorkerPool(options, { size: Math.min(DEFAULT_POOL_SIZE, cores), cores });
  const suspicions = createSuspicions();

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
      return openSdkSession(setup, spec.images, pool, suspicions.of(spec.run), context, signal);
    },
    [Symbol.asyncDispose]: () => pool[Symbol.asyncDispose](),
  };
}

/** The pool for the options; `defaults` are for what they do not say. */
export function openWorkerPool(
  { clock, random, log, env = process.env, ...options }: SdkEngineOptions,
  defaults: { readonly size: number; readonly cores: number },
): WorkerPool {
  const memoryLimitMb = options.memoryLimitMb ?? DEFAULT_MEMORY_LIMIT_MB;
  return createWorkerPool({
    size: options.poolSize ?? defaults.size,
    cores: options.cores ?? defaults.cores,
    most: Math.max(FEWEST_WORKERS, Math.floor((totalmem() * SHARE_OF_MEMORY) / (memoryLimitMb * 1024 ** 2))),
    silenceMs: options.timeouts?.worker ?? DEFAULT_TIMEOUTS.worker,
    worker: { entry: options.workerEntry ?? workerProgram(), env: workerEnvironment(env), memoryLimitMb },
    clock,
    random,
    log,
  });
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
  const hasServers = Object.keys(agent.mcpServers ?? {}).length > 0;
  return {
    model: valueOrFailure(withModule(valueOrFailure(resolveModel(agent, env, nameable)), packages)),
    system,
    tools: tools.list(),
    unlistedTools: tools.unlisted?.() ?? [],
    mcpServers: expandServers(agent.mcpServers, nameable),
    ...(agent.permissions === undefined ? {} : { permissions: agent.permissions }),
    mcpEnvironment: hasServers
      ? { ...workerEnvironment(env), ...valueOrFailure(definedVariables(agent.env, nameable)) }
      : {},
    cwd,
    maxOutputTokens: agent.maxTokens ?? null,
    transcript,
  };
}

/** Beside this file, with the same extension: .ts from the sources, .js from the published package. */
function workerProgram(): string {
  const ending = import.meta.url.endsWith(".ts") ? "ts" : "js";
  return fileURLToPath(new URL(`./worker.${ending}`, import.meta.url));
}
