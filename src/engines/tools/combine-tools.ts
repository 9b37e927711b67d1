import type { ToolHost, ToolSpec } from "../../ports/tools.ts";
import { failed } from "./local-tool.ts";
import { lookOf } from "./tool-look.ts";

/**
 * Several sources of tools as one. The first source to name a tool has it; the order of sources and of tools within
 * them is kept. A tool whose name is taken, reserved, or only looks like one of these is left out: else an MCP server
 * could put itself in the place of a tool of the team, or of the person's trust in it.
 */
export interface ToolSource {
  /** How people know it: "team", "shell", the name of an MCP server. */
  readonly name: string;
  readonly host: ToolHost;
  /** May use the reserved names. */
  readonly trusted?: boolean;
}

export interface CombinedTools {
  readonly host: ToolHost;
  readonly refused: readonly { readonly tool: string; readonly source: string; readonly reason: string }[];
}

const TOOL_NAME = /^[a-zA-Z0-9_-]{1,64}$/;

/** `reserved` are the names of the daemon's tools, also of those this agent is not given. */
export function combineTools(sources: readonly ToolSource[], reserved: Iterable<string> = []): CombinedTools {
  const kept = new Set([...reserved].map(lookOf));
  const taken = new Map<string, string>();
  const owners = new Map<string, ToolHost>();
  const specs: ToolSpec[] = [];
  const refused: { tool: string; source: string; reason: string }[] = [];
  for (const { name: source, host, trusted } of sources) {
    for (const spec of host.list()) {
      const look = lookOf(spec.name);
      const reason = !TOOL_NAME.test(spec.name)
        ? "its name is not made of letters, digits, _ and -"
        : taken.has(look)
          ? `${taken.get(look)} has a tool of that name`
          : kept.has(look) && trusted !== true
            ? "its name is reserved for the daemon"
            : null;
      if (reason !== null) {
        refused.push({ tool: spec.name, source, reason });
        continue;
      }
      taken.set(look, source);
      owners.set(spec.name, host);
      specs.push(spec);
    }
  }
  return {
    refused,
    host: {
      list: () => specs,
      call: async (call, signal) => {
        signal.throwIfAborted();
        const owner = owners.get(call.tool);
        return owner?.call(call, signal) ?? failed(`There is no tool "${call.tool}".`);
      },
    },
  };
}
