import { hash } from "node:crypto";
import { TEAM_TOOL_NAMES, teamTools } from "../operations/tools/team-tools.ts";
import type { RunCredential } from "../runtime/daemon-context.ts";
import type { McpExchange } from "./mcp-request.ts";
import { personTools } from "./person-tools.ts";
import { outcomeAnswer } from "./tool-answer.ts";
import { toolHints, toolTitle } from "./tool-hints.ts";
import type { ToolSet } from "./tool-set.ts";
import { unknownTool } from "./unknown-tool.ts";

export function servedTools({ identity, project }: Pick<McpExchange, "identity" | "project">): ToolSet {
  return identity.kind === "run" ? runTools(identity.credential) : personTools(project);
}

const EVERYTHING = { personal: true, channel: true, named: [...TEAM_TOOL_NAMES] };

function runTools({ caller, tools }: RunCredential): ToolSet {
  return {
    list() {
      const hints = new Map(teamTools(caller, EVERYTHING).map(({ name, uses }) => [name, toolHints(uses)]));
      return tools.list().map(({ name, description, inputSchema }) => {
        const annotations = hints.get(name);
        return {
          name,
          title: toolTitle(name),
          description,
          inputSchema: { ...inputSchema, type: "object" },
          ...(annotations === undefined ? {} : { annotations }),
        };
      });
    },
    async call(name, args, signal) {
      const offered = tools.list().map((tool) => tool.name);
      if (!offered.includes(name)) return unknownTool(name, offered);
      return outcomeAnswer(name, await tools.call({ id: callId(name, args), tool: name, args }, signal));
    },
    takesLong: () => false,
  };
}

/**
 * Clients number their requests anew with every connection, so those numbers say nothing about a call. What was asked
 * says it: a call that waits for approval is the same one when it is made again.
 */
function callId(name: string, args: unknown): string {
  return `mcp_${hash("sha256", JSON.stringify([name, args]))}`;
}
