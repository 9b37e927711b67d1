import type { Soul } from "../../domain/agent/definition.ts";
import { effectiveSoul } from "../../domain/soul/learned-soul.ts";
import type { Refusal } from "../../kernel/refusal.ts";
import type { Result } from "../../kernel/result.ts";
import type { PersonalContext } from "../../ports/personal-context.ts";
import type { WorkspaceRecord } from "../../ports/store/workspace.ts";
import { findDefinition, type CurrentAgent, type DefinitionReads } from "./find-definition.ts";

export interface SoulSources {
  personal(agent: string): Result<Pick<PersonalContext, "soul">, Refusal>;
}

/** Returns the soul of an agent: the baseline of its definition, and what it has learned if it has a personal context. */
export function currentSoul(sources: SoulSources, { definition: { soul }, owner }: CurrentAgent): Soul | undefined {
  const context = owner === null ? undefined : sources.personal(owner);
  return context?.ok === true ? effectiveSoul(soul, context.value.soul.read().state.learned) : soul;
}

/** Returns a function that says which role a member of a workspace has; null when none is known. */
export function memberRoles(sources: SoulSources & { readonly definitions: DefinitionReads }) {
  return (agent: string, { workflow, file }: Pick<WorkspaceRecord, "workflow" | "file">): string | null => {
    const found = findDefinition(sources.definitions, { agent, workflow: { name: workflow, file } });
    return found.kind === "found" ? (currentSoul(sources, found.agent)?.role ?? null) : null;
  };
}
