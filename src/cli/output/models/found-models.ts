import type { FoundModels } from "../../../daemon/machine/find-models.ts";
import type { TeamEngine } from "../../../files/project/team-templates.ts";

/** Names an engine as a person knows it: "claude 2.1.0", "llama3 (ollama)", "anthropic". */
export function engineLabel(
  { engine, model, baseUrl }: TeamEngine,
  { engines, providers, endpoints }: FoundModels,
): string {
  if (engine === "mock") return "the scripted engine";
  if (baseUrl !== undefined) {
    const server = endpoints.find((each) => each.baseUrl === baseUrl)?.name ?? baseUrl;
    return `${model ?? "a model"} (${server})`;
  }
  if (engine === "sdk") {
    const first = providers.find(({ ready, needsBaseUrl }) => ready && !needsBaseUrl)?.name;
    return model ?? (first === undefined ? "a model API" : `the API of ${first}`);
  }
  const version = engines.find(({ name }) => name === engine)?.version ?? null;
  return version === null ? engine : `${engine} ${version}`;
}

/** What is on this machine, one line each, for a person who chooses. */
export function foundText({ engines, providers, endpoints }: FoundModels): string[] {
  const programs = engines.filter(({ program }) => program !== null);
  const keys = providers.filter(({ ready, needsBaseUrl }) => ready && !needsBaseUrl).map(({ name }) => name);
  return [
    ...programs.map(({ name, version, found, login, next }) => {
      const state = !found ? "not installed" : next === null ? (login === "yes" ? "ready" : "found") : "not logged in";
      return `${name}${version === null ? "" : ` ${version}`}: ${state}`;
    }),
    `keys: ${keys.length === 0 ? "none" : keys.join(", ")}`,
    ...endpoints.map(({ name, models }) => `${name}: ${models.length === 1 ? "1 model" : `${models.length} models`}`),
  ];
}

/** How to get an engine with a model, one line each. */
export function missingText({ engines, endpoints }: FoundModels): string[] {
  const programs = engines.flatMap(({ program, name, next }) =>
    program === null || next === null ? [] : [`${name}: ${next}`],
  );
  const empty = endpoints.filter(({ models }) => models.length === 0).map(({ name }) => `${name}: it has no model yet`);
  return [
    ...programs,
    ...empty,
    "a key: agent-worker login anthropic (or openai, google; see agent-worker providers)",
  ].map((line) => `  ${line}`);
}
