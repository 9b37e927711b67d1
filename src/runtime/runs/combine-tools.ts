import { hintForUnknownTool } from "../../domain/agent/replaced-tools.ts";
import { toolNameSkeleton } from "../../domain/agent/tool-name-skeleton.ts";
import type { ToolHost, ToolSpec } from "../../ports/tools.ts";

export interface ToolSource {
  /** As messages name it: "team", "shell", "skills". */
  readonly name: string;
  readonly host: ToolHost;
  readonly mayUseReservedNames?: boolean;
}

export interface CombinedTools {
  readonly host: ToolHost;
  readonly refused: readonly { readonly tool: string; readonly source: string; readonly reason: string }[];
}

const TOOL_NAME = /^[a-zA-Z0-9_-]{1,64}$/;

/**
 * Combines several sources of tools into one host, in the order of the sources and of their tools. A tool is left out
 * when its name is taken or reserved, or can be confused with such a name: otherwise it could be mistaken for a tool that
 * the person trusts. `reserved` are the names of all the daemon's tools, also of those that this agent does not get.
 */
export function combineTools(sources: readonly ToolSource[], reserved: Iterable<string> = []): CombinedTools {
  const reservedSkeletons = new Set([...reserved].map(toolNameSkeleton));
  const taken = new Map<string, string>();
  const owners = new Map<string, ToolHost>();
  const specs: ToolSpec[] = [];
  const unlisted: string[] = [];
  const refused: { tool: string; source: string; reason: string }[] = [];
  for (const { name: source, host, mayUseReservedNames } of sources) {
    for (const spec of host.list()) {
      const skeleton = toolNameSkeleton(spec.name);
      const reason = !TOOL_NAME.test(spec.name)
        ? "its name is not made of letters, digits, _ and -"
        : taken.has(skeleton)
          ? `${taken.get(skeleton)} has a tool of that name`
          : reservedSkeletons.has(skeleton) && mayUseReservedNames !== true
            ? "its name is reserved for the daemon"
            : null;
      if (reason !== null) {
        refused.push({ tool: spec.name, source, reason });
        continue;
      }
      taken.set(skeleton, source);
      owners.set(spec.name, host);
      specs.push(spec);
    }
    for (const name of host.unlisted?.() ?? []) {
      taken.set(toolNameSkeleton(name), source);
      owners.set(name, host);
      unlisted.push(name);
    }
  }
  return {
    refused,
    host: {
      list: () => specs,
      unlisted: () => unlisted,
      shown: async (call) => owners.get(call.tool)?.shown?.(call),
      call: async (call, signal) => {
        signal.throwIfAborted();
        const owner = owners.get(call.tool);
        if (owner !== undefined) return owner.call(call, signal);
        const hint = hintForUnknownTool(
          call.tool,
          specs.map(({ name }) => name),
        );
        return { kind: "result", content: `There is no tool "${call.tool}". ${hint}`, isError: true };
      },
    },
  };
}
