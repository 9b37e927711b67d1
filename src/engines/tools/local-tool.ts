import { z } from "zod";
import type { PermissionRequest } from "../../domain/agent/permission.ts";
import { shownSchema } from "../../domain/agent/shown-schema.ts";
import { hintForUnknownTool } from "../../domain/agent/replaced-tools.ts";
import type { ToolCall, ToolHost, ToolOutcome, ToolSpec } from "../../ports/tools.ts";

/** A tool that is executed in this process. */
export interface LocalTool {
  readonly spec: ToolSpec;
  /** Checks the arguments. Returns the permission the call needs, if any, and how to execute it, or a failed result. */
  prepare(args: unknown): Prepared | ToolOutcome;
}

export interface Prepared {
  readonly kind: "prepared";
  readonly request: PermissionRequest | null;
  /** Returns what a person who decides on the call reads in place of its arguments; undefined: the arguments. */
  shown(): Promise<unknown>;
  /** Returns the result of a call that would change nothing; null when it would change something. */
  needless(): Promise<ToolOutcome | null>;
  execute(signal: AbortSignal): Promise<ToolOutcome>;
}

/** Returns null when the call may be made, otherwise its result. */
export type Gate = (
  call: ToolCall,
  request: PermissionRequest,
  prepared: Pick<Prepared, "shown" | "needless">,
) => Promise<ToolOutcome | null>;

export function localTool<Args>(tool: {
  readonly name: string;
  readonly description: string;
  readonly input: z.ZodType<Args>;
  readonly permission?: (args: Args) => Omit<PermissionRequest, "tool"> | ToolOutcome;
  readonly shown?: (args: Args) => Promise<unknown>;
  readonly needless?: (args: Args) => Promise<ToolOutcome | null>;
  readonly execute: (args: Args, signal: AbortSignal) => Promise<ToolOutcome>;
}): LocalTool {
  const { name, description, input } = tool;
  return {
    spec: { name, description, inputSchema: inputSchemaOf(input) },
    prepare: (args) => {
      const parsed = input.safeParse(args ?? {});
      if (!parsed.success) return failed(`The arguments of ${name} are wrong. ${z.prettifyError(parsed.error)}`);
      const permission = tool.permission?.(parsed.data) ?? null;
      if (permission !== null && "kind" in permission) return permission;
      const request = permission === null ? null : { tool: name, ...permission };
      return {
        kind: "prepared",
        request,
        shown: async () => tool.shown?.(parsed.data),
        needless: async () => (await tool.needless?.(parsed.data)) ?? null,
        execute: (signal) => tool.execute(parsed.data, signal),
      };
    },
  };
}

/** Every run has tools of its own. Their inputs are the same, and describing one takes longer than the rest of a tool. */
const SCHEMAS = new WeakMap<z.ZodType, ToolSpec["inputSchema"]>();

function inputSchemaOf(input: z.ZodType): ToolSpec["inputSchema"] {
  const known = SCHEMAS.get(input);
  if (known !== undefined) return known;
  const { $schema: _, ...schema } = z.toJSONSchema(input, { target: "draft-7", io: "input" });
  const shown = shownSchema(schema);
  SCHEMAS.set(input, shown);
  return shown;
}

export function localToolHost(tools: readonly LocalTool[], gate?: Gate): ToolHost {
  const specs = tools.map(({ spec }) => spec);
  const looks = createLooks();
  return {
    list: () => specs,
    async shown(call) {
      const known = looks.of(call);
      if (known !== undefined) return known;
      const prepared = tools.find(({ spec }) => spec.name === call.tool)?.prepare(call.args);
      return prepared?.kind === "prepared" ? looks.take(call, prepared) : undefined;
    },
    call: async (call, signal) => {
      signal.throwIfAborted();
      const tool = tools.find(({ spec }) => spec.name === call.tool);
      if (tool === undefined) {
        const names = specs.map(({ name }) => name);
        return failed(`There is no tool "${call.tool}". ${hintForUnknownTool(call.tool, names)}`);
      }
      const prepared = tool.prepare(call.args);
      if (prepared.kind !== "prepared") return prepared;
      // Looked at before it is made, so that people see the same before and afterwards.
      const shown = looks.take(call, prepared);
      await shown;
      const stopped =
        prepared.request === null ? null : await gate?.(call, prepared.request, { ...prepared, shown: () => shown });
      signal.throwIfAborted();
      return stopped ?? prepared.execute(signal);
    },
  };
}

/** How many calls of a run are remembered as people see them: those of a few answers of its model. */
const MOST_LOOKS = 32;

/** What people read in place of the arguments of calls, as it was when each was last looked at before it was made. */
function createLooks() {
  const looks = new Map<string, Promise<unknown>>();
  return {
    of: ({ id }: ToolCall): Promise<unknown> | undefined => looks.get(id),
    take({ id }: ToolCall, prepared: Prepared): Promise<unknown> {
      const look = prepared.shown();
      looks.delete(id);
      looks.set(id, look);
      const [oldest] = looks.keys();
      if (looks.size > MOST_LOOKS && oldest !== undefined) looks.delete(oldest);
      return look;
    },
  };
}

export function done(content: string): ToolOutcome {
  return { kind: "result", content, isError: false };
}

export function failed(content: string): ToolOutcome {
  return { kind: "result", content, isError: true };
}
