import * as contract from "../../contract/agents.ts";
import type { AgentDefinition } from "../../domain/agent/definition.ts";
import { DEFAULT_ENGINE } from "../../domain/agent/engines.ts";
import { bringsOwnTools, isToolChosen, SHELL_TOOLS, SKILL_TOOL } from "../../domain/agent/tool-choice.ts";
import { grantedTools } from "../../domain/grant/held-grants.ts";
import { formatSpace } from "../../domain/message/space.ts";
import { parseTarget, targetSpace, type Target } from "../../domain/message/target.ts";
import { workspaceOf } from "../../domain/workspace/sub-space.ts";
import { checkParticipant } from "../../domain/workspace/participation.ts";
import { refuse, type Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import { persons } from "../core/access.ts";
import { query, type Read } from "../core/define.ts";
import { decideOwnTool } from "../own-proposals/own-tool.ts";
import { teamTools, type ToolAvailability } from "../tools/team-tools.ts";
import { findRunAgent, mistakeText } from "../runs/run-agent.ts";
import { personalAvailability } from "../tools/tool-availability.ts";
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
    const own = ownProposals.all().filter((each) => decideOwnTool(each, caller, definition) !== "deny");
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
        ...own.map((tool) => ({ name: tool.name, source: "project" as const, description: tool.summary })),
        ...granted.map((tool) => ({ name: tool.name, source: "grant" as const, description: tool.description })),
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
    const granted = grantedTools(await ctx.read((store) => store.grants.of(space, name)));
    const personal = personalAvailability(definitions, name);
    const available = { ...personal, channel: true, granted, definition: definition.value };
    return ok({ name, space, definition: definition.value, available });
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
    const personal = personalAvailability(definitions, owner);
    const granted = grantedTools(await store.grants.of(workspaceOf(space), name));
    const { channel, documentOwner } = workspace.value;
    const available = { ...personal, channel, documentOwner: documentOwner !== null, granted, definition };
    return ok({ name, space, definition, available });
  });
}
