import { hash } from "node:crypto";
import type { AgentDefinition, SystemPrompt } from "../../domain/agent/definition.ts";
import { findDefinition } from "../../guard/identity/find-definition.ts";
import type { Definitions, DefinitionUse } from "../../ports/definitions.ts";
import { joinFingerprint } from "../../domain/node/definition-fingerprint.ts";
import { definitionKey } from "../../domain/node/placement.ts";

/**
 * Returns the fingerprints of all definitions of a project, by `definitionKey`, and makes them again only when files
 * changed. The content of a prompt file counts, too. Comments and the order of keys do not.
 */
export function createDefinitionFingerprints(
  definitions: Definitions,
  readPrompt: (prompt: SystemPrompt) => string,
): { readonly current: () => Readonly<Record<string, string>> } & Disposable {
  let made: Readonly<Record<string, string>> | undefined;
  /** The agents of that time: an agent in memory comes and goes without a change of files. */
  let agents: readonly AgentDefinition[] = [];
  const observing = definitions.observe(async () => void (made = undefined));
  return {
    current: () => {
      const now = definitions.agents();
      if (now.length !== agents.length || now.some((agent, place) => agent !== agents[place])) made = undefined;
      agents = now;
      return (made ??= fingerprints(definitions, readPrompt));
    },
    [Symbol.dispose]: () => observing[Symbol.dispose](),
  };
}

function fingerprints(
  definitions: Definitions,
  readPrompt: (prompt: SystemPrompt) => string,
): Readonly<Record<string, string>> {
  const uses: DefinitionUse[] = [
    ...definitions.agents().map(({ name }) => ({ agent: name, workflow: null })),
    ...definitions
      .workflows()
      .flatMap(({ name, agents }) => Object.keys(agents).map((agent) => ({ agent, workflow: { name, file: null } }))),
  ];
  const entries = uses.flatMap((use): [string, string][] => {
    const found = findDefinition(definitions, use);
    if (found.kind !== "found") return [];
    const { definition, promptAppend } = found.agent;
    const prompt = [definition.prompt, promptAppend, readPrompt(definition.prompt)];
    const hashes = Object.entries({ ...definition, prompt }).flatMap(([key, value]) =>
      value === undefined ? [] : [[inYaml(key), shortHash(value)]],
    );
    return [[definitionKey(use.agent, use.workflow?.name ?? null), joinFingerprint(Object.fromEntries(hashes))]];
  });
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function shortHash(value: unknown): string {
  return hash("sha256", JSON.stringify(value)).slice(0, 12);
}

/** `maxTokens` is written `max_tokens` in a file. */
function inYaml(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
