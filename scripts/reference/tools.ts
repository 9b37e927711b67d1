import { teamToolName } from "../../src/domain/agent/team-tool-names.ts";
import { teamTools } from "../../src/operations/tools/team-tools.ts";
import { GENERATED_NOTE } from "./generated-note.ts";

/** Returns a page of the tools of the team, as listed for an agent that has all of them. */
export function toolReference(): string {
  const agent = { kind: "agent", name: "agent", space: "@workflow:main", run: null, cause: null } as const;
  const tools = teamTools(agent, { personal: true, channel: true, definition: { tools: ["full"] } });
  const rows = tools.map(({ name, description, inputSchema, needs }) => {
    const required = new Set(Array.isArray(inputSchema["required"]) ? inputSchema["required"] : []);
    const fields = Object.keys(inputSchema["properties"] ?? {}).map((field) =>
      required.has(field) ? field : `${field}?`,
    );
    return `| \`${name}\` | \`${teamToolName(name)?.preset ?? ""}\` | ${fields.join(", ")} | ${description.replaceAll("|", "\\|")} | ${needs === "nothing" ? "" : needs} |`;
  });
  return [
    "# Tools of the team",
    "",
    GENERATED_NOTE,
    "",
    "What agents act on their team with, over MCP or called by the engine itself. An agent sees those it may use:",
    "`agent-worker tool list NAME` shows them. Names of earlier versions are not in this list; they can still be called.",
    "",
    "| tool | smallest set | takes | does | needs |",
    "|---|---|---|---|---|",
    ...rows,
    "",
  ].join("\n");
}
