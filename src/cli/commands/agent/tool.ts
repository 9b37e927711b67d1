import { defineCommand, type CommandGroup } from "../../command.ts";
import { paintFor } from "../../output/paint.ts";
import { formatTable } from "../../output/table.ts";
import { firstLine } from "../../output/visible-text.ts";

const list = defineCommand({
  about: "Lists the tools an agent gets: in direct messages, or with NAME@WORKFLOW in a workspace.",
  words: ["AGENT"],
  examples: ["agent-worker tool list alice", "agent-worker tool list alice@review"],

  async run({ words: [agent = ""], terminal, call, print }) {
    const listed = await call("list-tools", { agent });
    return print(listed, () => {
      const { tools, mcpServers, ownProgram, backend } = listed;
      const servers = mcpServers.length === 0 ? "" : `And what its servers offer: ${mcpServers.join(", ")}\n`;
      const engineTools = ownProgram ? `And the tools of ${backend} itself.\n` : "";
      const rows = tools.map(({ name, source, description }) => [name, source, firstLine(description ?? "")]);
      return `${formatTable(paintFor(terminal), ["TOOL", "FROM", "DOES"], rows)}${servers}${engineTools}`;
    });
  },
});

export const tool: CommandGroup = {
  about: "What agents can do.",
  entries: [{ name: "list", summary: "List the tools an agent gets", load: async () => list }],
};
