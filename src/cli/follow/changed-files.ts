import type { RunEvent } from "../../contract/service/work-request.ts";
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
        called.set(key, [...(called.get(key) ?? []), event.args]);
      }
      if (event.type !== "tool_result") return;
      const [args, ...rest] = called.get(`${event.agent} ${event.tool}`) ?? [];
      called.set(`${event.agent} ${event.tool}`, rest);
      const shape = callShape(args);
      if (event.isError || shape.kind !== "change" || isOfTeam(event.tool)) return;
      const { added, removed } = files.get(shape.file) ?? { added: 0, removed: 0 };
      const count = (wanted: string): number => shape.lines.filter(({ sign }) => sign === wanted).length;
      files.set(shape.file, { added: added + count("+"), removed: removed + count("-") });
    },
  };
}

/** Tools that write documents, memories and notes change no file of the project. */
function isOfTeam(tool: string): boolean {
  return /^(?:mcp__[\w-]+__)?(?:document|memory|note|resource|suggestion)_/.test(tool);
}
