import type { AgentDefinition } from "../domain/agent/definition.ts";
import { refuse, type Refusal } from "../kernel/refusal.ts";
import { ok, type Result } from "../kernel/result.ts";
import type { Services } from "../operations/core/define.ts";
import type { Definitions } from "../ports/definitions.ts";
import type { PersonalContext } from "../ports/personal-context.ts";

/** Opens the personal context of an agent once, because it caches what it parsed. */
export function createPersonalContexts(
  definitions: Pick<Definitions, "agent" | "isEphemeral">,
  folderOf: (definition: AgentDefinition) => string,
  open: (folder: string, agent: string) => Result<PersonalContext, Refusal>,
  exists: (folder: string) => boolean = () => true,
): Services["personal"] {
  const contexts = new Map<string, PersonalContext>();
  /** Folders that were not there in this turn of the event loop: many messages may come in one. */
  const absent = new Set<string>();
  const isAbsent = (folder: string): boolean => {
    if (absent.has(folder)) return true;
    if (exists(folder)) return false;
    if (absent.size === 0) setImmediate(() => absent.clear());
    absent.add(folder);
    return true;
  };
  return (agent, { onlyIfThere = false } = {}) => {
    const definition = definitions.agent(agent);
    if (definition === undefined) {
      return refuse("not_found", `There is no agent called "${agent}".`, {
        hint: "See: agent-worker agent list",
        details: { kind: "agent", name: agent },
      });
    }
    if (definitions.isEphemeral(agent)) {
      return refuse("not_found", `${agent} is ephemeral: it has no personal context.`, {
        hint: `Keep it with: agent-worker agent create NAME --from ${agent}`,
      });
    }
    const folder = folderOf(definition);
    const cached = contexts.get(folder);
    if (cached !== undefined) return ok(cached);
    if (onlyIfThere && isAbsent(folder)) return refuse("not_found", `${agent} has no personal context yet.`);
    const context = open(folder, definition.name);
    if (context.ok) contexts.set(folder, context.value);
    return context;
  };
}
