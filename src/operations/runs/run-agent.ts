import type { AgentDefinition } from "../../domain/agent/definition.ts";
import { hash } from "node:crypto";
import { brokenFileHint } from "../../domain/agent/broken-file.ts";
import { parseSpace } from "../../domain/message/space.ts";
import {
  findDefinition,
  type CurrentAgent,
  type DefinitionReads,
  type FoundDefinition,
} from "../../guard/identity/find-definition.ts";
import type { DefinitionProblem, Definitions, DefinitionUse } from "../../ports/definitions.ts";
import type { DefinitionSource, RunRecord } from "../../ports/store/run.ts";
import type { StoreReads } from "../../ports/store/store.ts";

/** Returns which definition an agent has in a space. */
export async function definitionUse(
  store: Pick<StoreReads, "workspaces">,
  { agent, space }: Pick<RunRecord, "agent" | "space">,
): Promise<DefinitionUse> {
  const name = workflowOf(space);
  if (name === null) return { agent, workflow: null };
  const file = (await store.workspaces.status(space))?.file ?? null;
  return { agent, workflow: { name, file } };
}

/** Returns the agent that a run in this space would be, as the files say now. */
export async function findRunAgent(
  store: Pick<StoreReads, "workspaces">,
  definitions: DefinitionReads,
  run: Pick<RunRecord, "agent" | "space">,
): Promise<FoundDefinition> {
  return findDefinition(definitions, await definitionUse(store, run));
}

/** Returns the workflow of a workspace; null for direct messages. */
export function workflowOf(space: string): string | null {
  const parsed = parseSpace(space);
  return parsed.ok && parsed.value.kind === "workspace" ? parsed.value.workflow : null;
}

/** Says what a run is made from. */
export function sourceOf(definitions: Definitions, use: DefinitionUse, agent: CurrentAgent): DefinitionSource {
  return { files: definitions.filesOf(use), fingerprint: fingerprintOf(agent) };
}

const FINGERPRINTS = new WeakMap<AgentDefinition, { readonly append: string | null; readonly fingerprint: string }>();

export function fingerprintOf({ definition, promptAppend: append }: CurrentAgent): string {
  const known = FINGERPRINTS.get(definition);
  if (known?.append === append) return known.fingerprint;
  const fingerprint = hash("sha256", JSON.stringify([definition, append])).slice(0, 12);
  FINGERPRINTS.set(definition, { append, fingerprint });
  return fingerprint;
}

/** Says why there is no such agent now. */
export function missingText(found: Exclude<FoundDefinition, { kind: "found" }>): string {
  if (found.kind === "removed") return found.reason;
  return brokenFileHint(found.problem);
}

/** Says where a file has a mistake, for people. */
export function mistakeText({ file, line, column, message }: DefinitionProblem): string {
  return `${file}:${line}:${column}: ${message}`;
}
