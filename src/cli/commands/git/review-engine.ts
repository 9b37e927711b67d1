import type { EngineStatus } from "../../../daemon/list-engines.ts";
import type { LocalEndpoint } from "../../../daemon/providers/local-endpoints.ts";
import {
  COMMANDLESS_ENGINES,
  DEFAULT_ENGINE,
  EXAMPLE_ENGINES,
  type EngineName,
} from "../../../domain/agent/engines.ts";
import { AUTO_MODEL } from "../../../domain/agent/model.ts";
import { readProjectFile } from "../../../files/project/project-file.ts";
import { systemClock } from "../../../kernel/clock.ts";
import { checkTypedModel } from "../../arguments/typed-model.ts";
import { withDefaultModel } from "../../../domain/agent/named-model.ts";
import { UsageError } from "../../arguments/usage-error.ts";
import type { Terminal } from "../../output/terminal.ts";
import { Refused } from "../../refused.ts";
import type { ReviewEngine } from "./review-team.ts";

const OWN_SERVER = "openai-compatible";

/**
 * Returns the engine for a team that names none: what the person typed, what the project file says, or what this machine
 * has: a program with a login first, then a provider with a key, then a model on this machine, as `init` does. Refused with
 * what is missing when it has none.
 */
export async function chooseEngine(
  terminal: Pick<Terminal, "env">,
  dir: string,
  typed: {
    readonly backend?: string | undefined;
    readonly model?: string | undefined;
    readonly baseUrl?: string | undefined;
  },
): Promise<ReviewEngine> {
  const { backend, model, baseUrl } = typed;
  if (baseUrl !== undefined) return atServer(backend, model, baseUrl);
  if (backend !== undefined) return ready(terminal, dir, withModel(checkName(backend), model));
  const { defaults } = readProjectFile(dir).settings;
  if (defaults.backend !== undefined || defaults.model !== undefined) {
    if (model !== undefined) checkTypedModel(withDefaultModel({ model }, defaults));
    return model === undefined ? {} : { model };
  }
  const { listEngines } = await import("../../../daemon/list-engines.ts");
  const engines = await listEngines({ env: terminal.env, clock: systemClock, dir });
  const found = pickEngine(engines);
  if (found !== undefined) return ready(terminal, dir, withModel(found.name, model));
  const { findLocalEndpoints } = await import("../../../daemon/providers/local-endpoints.ts");
  const local = localModel(await findLocalEndpoints(terminal.env, systemClock), model);
  if (local !== undefined) return atServer(DEFAULT_ENGINE, local.model, local.baseUrl);
  if (model !== undefined) return ready(terminal, dir, withModel(DEFAULT_ENGINE, model));
  throw new Refused({
    code: "not_found",
    message: "No engine on this machine can review: none is ready.",
    hint: missing(engines),
  });
}

/** A server of the person's own, with an interface like that of OpenAI. */
function atServer(backend: string | undefined, model: string | undefined, baseUrl: string): ReviewEngine {
  if (model === undefined || (backend ?? DEFAULT_ENGINE) !== DEFAULT_ENGINE) {
    throw new UsageError(`--base-url needs --model, and no other engine than ${DEFAULT_ENGINE}.`);
  }
  checkTypedModel({ model, backend: DEFAULT_ENGINE, provider: { name: OWN_SERVER, baseUrl } });
  return { backend: DEFAULT_ENGINE, model, provider: { name: OWN_SERVER, base_url: baseUrl } };
}

/** The first model that a server on this machine has; with a name, the one that is called so. */
function localModel(endpoints: readonly LocalEndpoint[], named: string | undefined) {
  return endpoints
    .flatMap(({ baseUrl, models }) => models.map((model) => ({ baseUrl, model })))
    .find(({ model }) => named === undefined || model === named);
}

/** Refuses a model that is none, and one whose provider has no key: it would only fail later. */
async function ready(terminal: Pick<Terminal, "env">, dir: string, engine: ReviewEngine): Promise<ReviewEngine> {
  const { backend, model } = engine;
  if (backend === undefined || model === undefined) return engine;
  checkTypedModel({ model, backend });
  const { missingForModel } = await import("../../../daemon/machine/missing-for-model.ts");
  const missing = await missingForModel({ backend, model }, terminal.env, dir);
  if (missing === undefined) return engine;
  throw new Refused({ code: "not_found", message: missing.what, hint: `Type: ${missing.command}` });
}

function checkName(name: string): EngineName {
  const known = COMMANDLESS_ENGINES.find((each) => each === name);
  if (known !== undefined) return known;
  throw new UsageError(`There is no backend "${name}".`, `Name one of ${COMMANDLESS_ENGINES.join(", ")}.`);
}

/** The model API needs a model; a program has one of its own. */
function withModel(backend: EngineName, model: string | undefined): ReviewEngine {
  const named = model ?? (backend === "sdk" ? AUTO_MODEL : undefined);
  return { backend, ...(named === undefined ? {} : { model: named }) };
}

function pickEngine(engines: readonly EngineStatus[]): EngineStatus | undefined {
  const candidates = EXAMPLE_ENGINES.filter((name) => name !== "mock").flatMap((name) =>
    engines.filter((engine) => engine.name === name && engine.found),
  );
  return candidates.find(({ login }) => login === "yes") ?? candidates.find(({ login }) => login === "unknown");
}

function missing(engines: readonly EngineStatus[]): string {
  const programs = engines.filter(({ program, next }) => program !== null && next !== null);
  const steps = [
    ...programs.map(({ name, next }) => `  ${name}: ${next}`),
    "  a key: agent-worker login anthropic (or openai, google; see agent-worker providers)",
    "  a model on this machine: start Ollama or LM Studio, or name a server with --model NAME --base-url URL",
  ];
  return `One of these is enough:\n${steps.join("\n")}`;
}
