import { z } from "zod";
import { shownSchema } from "../../domain/agent/shown-schema.ts";
import { teamToolName, type ToolNeed } from "../../domain/agent/team-tool-names.ts";
import type { Proposal, Query } from "../../kernel/proposal.ts";
import { refuse, type Refusal } from "../../kernel/refusal.ts";
import type { Result } from "../../kernel/result.ts";
import type { Operation, ProductTypes } from "../core/define.ts";
import { coerceArguments } from "./coerce-arguments.ts";

/**
 * A tool through which an agent calls operations: names and fields as models know them, and a result as text. It grants
 * no rights: the access rules of its operations decide.
 */
export interface TeamTool {
  /** `silence` ends the turn without a message and changes nothing: the runtime detects its call. */
  readonly kind: "operation" | "silence";
  readonly name: string;
  readonly description: string;
  /** JSON Schema (draft 7) of an object, as models see it. */
  readonly inputSchema: JsonSchema;
  /** The operations it calls. It is offered to callers that may use all of them. */
  readonly uses: readonly Operation[];
  readonly needs: ToolNeed;
  /** False when its results contain only text of the agent itself and of the system. An answer may know better. */
  readonly returnsUntrusted: boolean;
  /** For a tool that does the work of several: the one that does this call. Results count like those of that one. */
  partFor?(args: unknown): TeamTool;
  /** Checks the arguments and calls the operation. */
  call(args: unknown, ask: Ask): Promise<Result<Answer, Refusal>>;
}

export type JsonSchema = Readonly<Record<string, unknown>>;

export interface Answer {
  /** For the model. */
  readonly text: string;
  /** The same for programs. */
  readonly data: unknown;
  /** Whether this answer contains untrusted content. Absent: what the tool says about its results. */
  readonly untrusted?: boolean;
}

/** Calls an operation as the agent and formats its output. The answer's data is the output, unless `format` returns it. */
export type Ask = <Input extends z.ZodType, Output extends z.ZodType>(
  operation: Proposal<ProductTypes, Input, Output, unknown> | Query<ProductTypes, Input, Output>,
  data: z.input<Input>,
  format: (output: z.output<Output>) => string | Answer,
) => Promise<Result<Answer, Refusal>>;

interface ToolSpec<Shape extends z.ZodRawShape> {
  readonly kind?: TeamTool["kind"];
  readonly name: string;
  readonly description: string;
  readonly input: Shape;
  /** Fields that models see in another way, or not at all (null). They are accepted as `input` says. */
  readonly shown?: { readonly [Field in keyof Shape]?: JsonSchema | null };
  readonly uses: readonly Operation[];
  readonly returnsUntrusted?: boolean;
  partFor?(args: unknown): TeamTool;
  call(args: z.output<z.ZodObject<Shape, z.core.$strict>>, ask: Ask): Promise<Result<Answer, Refusal>>;
}

export function teamTool<Shape extends z.ZodRawShape>(spec: ToolSpec<Shape>): TeamTool {
  const { kind = "operation", name, description, uses, returnsUntrusted = true } = spec;
  // Made on first use: a daemon without work does not need the schemas.
  let made: ReturnType<typeof makeSchemas<Shape>> | undefined;
  const schemas = () => (made ??= makeSchemas(spec));
  return {
    kind,
    name,
    description,
    get inputSchema() {
      return schemas().shownSchema;
    },
    uses,
    needs: teamToolName(name)?.needs ?? "nothing",
    returnsUntrusted,
    ...(spec.partFor === undefined ? {} : { partFor: spec.partFor }),
    async call(args, ask) {
      const { input, inputSchema } = schemas();
      const parsed = input.safeParse(coerceArguments(inputSchema, args));
      return parsed.success ? spec.call(parsed.data, ask) : refuseArguments(name, inputSchema, parsed.error);
    },
  };
}

function makeSchemas<Shape extends z.ZodRawShape>({ input: shape, shown = {} }: ToolSpec<Shape>) {
  const input = z.strictObject(shape);
  const inputSchema = toJsonSchema(input);
  return { input, inputSchema, shownSchema: withShown(inputSchema, shown) };
}

function withShown(schema: JsonSchema, shown: Readonly<Record<string, JsonSchema | null | undefined>>): JsonSchema {
  const { properties = {}, ...rest } = shownSchema(schema);
  const fields = Object.entries(properties ?? {})
    .filter(([name]) => shown[name] !== null)
    .map(([name, field]): [string, unknown] => [name, shown[name] ?? field]);
  return { ...rest, properties: Object.fromEntries(fields) };
}

function toJsonSchema(input: z.ZodObject): JsonSchema {
  const { $schema: _, ...schema } = z.toJSONSchema(input, {
    target: "draft-7",
    io: "input",
  });
  return schema;
}

function refuseArguments(tool: string, schema: JsonSchema, error: z.ZodError) {
  const issues = error.issues.map(({ path, message }) => ({ path: path.join("."), message }));
  const problems = issues.map(({ path, message }) => (path === "" ? message : `${path}: ${message}`));
  const { properties = {}, required = [] } = schema;
  const needed = new Set(Array.isArray(required) ? required : []);
  const fields = Object.keys(properties ?? {}).map((name) => (needed.has(name) ? `${name} (required)` : name));
  return refuse("invalid", `${tool} cannot be called like this. ${problems.join("; ")}.`, {
    hint: fields.length === 0 ? `${tool} takes no arguments.` : `${tool} takes: ${fields.join(", ")}.`,
    details: { issues },
  });
}

/** Whether a call has a value for this field; null counts as none. */
export function hasArgument(args: unknown, name: string): boolean {
  return typeof args === "object" && args !== null && (args as Readonly<Record<string, unknown>>)[name] != null;
}
