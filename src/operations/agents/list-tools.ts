import * as contract from "../../contract/agents.ts";
import type { AgentDefinition } from "../../domain/agent/definition.ts";
import { DEFAULT_ENGINE } from "../../domain/agent/engines.ts";
import { bringsOwnTools, isToolChosen, SHELL_TOOLS, SKILL_TOOL } from "../../domain/agent/tool-choice.ts";
import { formatSpace } from "../../domain/message/space.ts";
import { parseTarget, targetSpace, type Target } from "../../domain/message/target.ts";
import { checkParticipant } from "../../domain/workspace/participation.ts";
import { refuse, type Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import { persons } from "../core/access.ts";
import { query, type Read } from "../core/define.ts";
import { ownToolsOf } from "../own-proposals/own-tool.ts";
import { teamTools, type ToolAvailability } from "../tools/team-tools.ts";
import { findRunAgent, mistakeText } from "../runs/run-agent.ts";
import { availabilityOf } from "../tools/tool-availability.ts";
import { findWorkspace } from "../workspaces/find-workspace.ts";
import { findAgent } from "./find-agent.ts";

/** Lists the tools an agent gets in direct messages, or in a workspace it takes part in. */
export const listTools = query(contract.listTools, {
  access: persons,

  async execute(data, ctx) {
    const target = parseTarget(data.agent);
    if (!target.ok) return target;
    const found = await locateAgent(ctx, target.value);
    if (!found.ok) return found;
    const { name, space, definition, available } = found.value;
    const caller = { kind: "agent", name, space, run: null, cause: null } as const;
    const defined = teamTools(caller, { ...available, granted: [] });
    const granted = teamTools(caller, available).slice(defined.length);
    const { ownProposals } = ctx.services;
    await ownProposals.refresh();
    const own = ownToolsOf(ownProposals, caller, definition, available.granted);
    const chosen = (source: "shell" | "skills", names: readonly string[]) =>
      names.filter((tool) => isToolChosen(definition, tool)).map((tool) => ({ name: tool, source, description: null }));
    return ok({
      agent: name,
      space,
      backend: definition.backend ?? DEFAULT_ENGINE,
      tools: [
        ...defined.map((tool) => ({ name: tool.name, source: "team" as const, description: tool.description })),
        ...chosen("shell", SHELL_TOOLS),
        ...chosen("skills", [SKILL_TOOL]),
        ...own.defined.map((tool) => ({ name: tool.name, source: "project" as const, description: tool.summary })),
        ...granted.map((tool) => ({ name: tool.name, source: "grant" as const, description: tool.description })),
        ...own.granted.map((tool) => ({ name: tool.name, source: "grant" as const, description: tool.summary })),
      ],
      mcpServers: Object.keys(definition.mcpServers ?? {}),
      ownProgram: bringsOwnTools(definition),
    });
  },
});

interface LocatedAgent {
  readonly name: string;
  readonly space: string;
  readonly definition: AgentDefinition;
  readonly available: ToolAvailability;
}

async function locateAgent(ctx: Read, target: Target): Promise<Result<LocatedAgent, Refusal>> {
  if (target.kind === "channel") {
    return refuse("invalid", "A workspace has no tools: its agents have.", { hint: "Name one as NAME@WORKFLOW." });
  }
  const { agent: name } = target;
  const space = formatSpace(targetSpace(target));
  const { definitions } = ctx.services;
  if (target.kind === "dm") {
    const definition = await findAgent(definitions, name);
    if (!definition.ok) return definition;
    const available = await ctx.read((store) => availabilityOf(store, definitions, { name, space, owner: name }));
    return ok({ name, space, definition: definition.value, available: { ...available, definition: definition.value } });
  }
  return ctx.read(async (store) => {
    const workspace = await findWorkspace(store, { ...target, kind: "workspace" });
    if (!workspace.ok) return workspace;
    const participants = (await store.workspaces.roster(space)).map(({ agent }) => agent);
    const member = checkParticipant({ ...target, running: true, participants }, name);
    if (!member.ok) return member;
    const current = await findRunAgent(store, definitions, { agent: name, space });
    if (current.kind === "broken") return refuse("invalid", mistakeText(current.problem), { hint: "Mend the file." });
    if (current.kind === "removed") return refuse("not_found", current.reason);
    const { definition, owner } = current.agent;
    const available = await availabilityOf(store, definitions, { name, space, owner });
    return ok({ name, space, definition, available: { ...available, definition } });
  });
}
