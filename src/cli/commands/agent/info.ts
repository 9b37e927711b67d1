import type { AgentDetailView } from "../../../contract/agents.ts";
import { defineCommand } from "../../command.ts";
import { formatSpace } from "../../output/format-space.ts";
import { grantText } from "../../output/grant-text.ts";
import { paintFor, type Paint } from "../../output/paint.ts";
import { shortened } from "../../output/visible-text.ts";

export const agentInfo = defineCommand({
  about: "Shows an agent: its definition, its soul, what it takes part in, and how much it remembers.",
  words: ["NAME"],
  examples: ["agent-worker agent info alice"],

  async run(invocation) {
    const detail = await invocation.call("show-agent", { name: invocation.words[0] ?? "" });
    return invocation.print(detail, () => describe(paintFor(invocation.terminal), detail));
  },
});

const LABEL_WIDTH = 12;
const SHORT = 200;

function describe(paint: Paint, agent: AgentDetailView): string {
  const { open, context, schedule } = agent;
  const rows: readonly (readonly [string, string | null])[] = [
    ["engine", agent.model === null ? agent.backend : `${agent.backend}, ${agent.model}`],
    ["provider", agent.provider],
    ["source", agent.source],
    ["takes part", agent.workspaces.join(", ") || null],
    ["waiting", `${open.immediate} immediate, ${open.normal} normal, ${open.background} background`],
    ["prompt", "system" in agent.prompt ? shortened(agent.prompt.system, SHORT) : `from ${agent.prompt.systemFile}`],
    ...Object.entries(agent.soul).map(([key, value]) => [key, soulText(value)] as const),
    ["wakes", schedule === null ? null : [schedule.wakeup, schedule.prompt].filter((part) => part !== null).join(": ")],
    ["tools", agent.tools?.join(", ") ?? null],
    ...grantRows(agent.grants),
    ["mcp servers", agent.mcpServers.join(", ") || null],
    ["variables", agent.env.join(", ") || null],
    ["steps", agent.maxSteps === null ? null : `${agent.maxSteps} at most`],
    [
      "remembers",
      context === null
        ? "nothing: it is gone when the daemon stops"
        : `${context.memory} memories, ${context.notes} notes, ${context.openTodos} open todos`,
    ],
    ["last talk", context?.lastConversation ?? null],
  ];
  const lines = rows.flatMap(([label, text]) =>
    text === null ? [] : [`${paint.dim(label.padEnd(LABEL_WIDTH))}${text}\n`],
  );
  return `${paint.as(agent.name, agent.name)}\n${lines.join("")}`;
}

/** One row for each space. */
function grantRows(grants: AgentDetailView["grants"]): readonly (readonly [string, string])[] {
  const spaces = [...new Set(grants.map(({ space }) => space))];
  return spaces.map((space) => {
    const tools = grants.filter((each) => each.space === space).map(grantText);
    return [
      "granted",
      `${tools.join(", ")} ${space.startsWith("@") ? `in ${formatSpace(space)}` : "in direct messages"}`,
    ];
  });
}

function soulText(value: unknown): string {
  if (Array.isArray(value)) return value.map(String).join("; ");
  return typeof value === "string" ? value : JSON.stringify(value);
}
