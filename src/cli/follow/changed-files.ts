import type { RunEvent } from "../../contract/service/work-request.ts";
import { TEAM_TOOL_NAMES } from "../../domain/agent/team-tool-names.ts";
import { changedLines } from "../calls/call-lines.ts";
import { callShape } from "../calls/call-shape.ts";

/** The files that tools changed in a request, with lines added and removed. */
export interface ChangedFiles {
  follow(event: RunEvent): void;
  readonly files: ReadonlyMap<string, { readonly added: number; readonly removed: number }>;
}

/** Counts a change when its tool has answered without an error. */
export function trackChangedFiles(): ChangedFiles {
  const files = new Map<string, { added: number; removed: number }>();
  const called = new Map<string, unknown[]>();
  return {
    files,
    follow(event) {
      if (event.type === "tool_call") {
        const key = `${event.agent} ${event.tool}`;
        called.set(key, [...(called.get(key) ?? []), event.shown ?? event.args]);
      }
      if (event.type !== "tool_result") return;
      const [args, ...rest] = called.get(`${event.agent} ${event.tool}`) ?? [];
      called.set(`${event.agent} ${event.tool}`, rest);
      const shape = callShape(args);
      if (event.isError || shape.kind !== "change" || isOfTeam(event.tool)) return;
      const { added, removed } = files.get(shape.file) ?? { added: 0, removed: 0 };
      const counted = changedLines(shape.lines);
      files.set(shape.file, { added: added + counted.added, removed: removed + counted.removed });
    },
  };
}

/** Tools of the team write documents, memories and notes, and change no file of the project. */
function isOfTeam(tool: string): boolean {
  return TEAM_TOOL_NAMES.includes(tool.replace(/^mcp__[\w-]+__/, ""));
}
