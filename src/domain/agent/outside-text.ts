import { PERSON, SYSTEM } from "../message/message.ts";
import type { AgentDefinition } from "./definition.ts";
import { bringsOwnTools, isToolChosen, SHELL_TOOLS, SKILL_TOOL } from "./tool-choice.ts";

/**
 * Where words in a run may have come from that are neither the person's nor the agent's: what the agent then says or
 * suggests may be theirs. It names what could have been read, not what was: an engine does not tell, so the answer is
 * empty only when there was no way in.
 */
export function outsideTextIn(run: {
  readonly agent: string;
  readonly space: string;
  /** Who wrote the messages it answers. */
  readonly senders: readonly string[];
  readonly definition: Pick<AgentDefinition, "backend" | "tools" | "mcpServers">;
}): readonly string[] {
  const { agent, space, senders, definition } = run;
  const strangers = [...new Set(senders)].filter((sender) => ![PERSON, SYSTEM, agent].includes(sender));
  const readers = [...SHELL_TOOLS, SKILL_TOOL].filter((tool) => isToolChosen(definition, tool));
  return [
    ...strangers.map((sender) => `messages of ${sender}`),
    ...(space.startsWith("@") ? ["the channel and documents of the workspace"] : []),
    ...(bringsOwnTools(definition) ? ["the tools of its engine"] : []),
    ...(readers.length === 0 ? [] : [`tools that read: ${readers.join(", ")}`]),
    ...Object.keys(definition.mcpServers ?? {}).map((server) => `the MCP server ${server}`),
  ];
}
