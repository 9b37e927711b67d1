import { hash } from "node:crypto";
import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import { findTeamTool } from "../operations/tools/team-tools.ts";
import type { RunCredential } from "../runtime/daemon-context.ts";
import type { McpRequest } from "./mcp-request.ts";
import { personTools } from "./person-tools.ts";
import { toolHints, toolTitle } from "./tool-hints.ts";
import { outcomeResult, unknownTool } from "./tool-result.ts";
import type { ToolSet } from "./tool-set.ts";

/** Returns the tools of the caller. A call throws only ProtocolErrors; the details of a bug are only in the log. */
export function servedTools(context: McpRequest): ToolSet {
  const { identity, project, log } = context;
  const tools = identity.kind === "run" ? runTools(identity.credential) : personTools(project);
  return {
    ...tools,
    async call(name, args, signal) {
      try {
        return await tools.call(name, args, signal);
      } catch (error) {
        if (!context.signal.aborted) log.error("a tool failed", { tool: name, error });
        throw new ProtocolError(ProtocolErrorCode.InternalError, `${name} failed inside the daemon; its log says why.`);
      }
    },
  };
}

function runTools({ tools }: RunCredential): ToolSet {
  return {
    list() {
      return tools.list().map(({ name, description, inputSchema }) => {
        const tool = findTeamTool(name);
        return {
          name,
          title: toolTitle(name),
          description,
          inputSchema: { ...inputSchema, type: "object" },
          ...(tool === undefined ? {} : { annotations: toolHints(tool.uses) }),
        };
      });
    },
    async call(name, args, signal) {
      const offered = tools.list().map((tool) => tool.name);
      const isKnown = offered.includes(name) || tools.unlisted?.().includes(name) === true;
      if (!isKnown && findTeamTool(name) === undefined) return unknownTool(name, offered);
      return outcomeResult(name, await tools.call({ id: callId(name, args), tool: name, args }, signal));
    },
    takesLong: () => false,
  };
}

/**
 * Identifies a call by tool and arguments: a call that waits for approval is the same call when it is repeated. The id
 * of the request cannot be used, because clients restart their ids with every connection.
 */
function callId(name: string, args: unknown): string {
  return `mcp_${hash("sha256", JSON.stringify([name, args]))}`;
}
