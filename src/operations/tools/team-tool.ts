import { z } from "zod";
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
  /** JSON Schema (draft 7) of an object. */
  readonly inputSchema: JsonSchema;
  /** The operations it calls. It is offered to callers that may use all of them. */
  readonly uses: readonly Operation[];
  readonly needs: ToolNeed;
  /** False when its results contain only text of the agent itself and of the system. An answer may know better. */
  readonly returnsUntrusted: boolean;
  /** Checks the arguments and calls the operation. */
  call(args: unknown, ask: Ask): Promise<Result<Answer, Refusal>>;
}

/** What an agent must have, besides the right, to be offered a tool. */
export type ToolNeed =
  | "nothing"
  | "personal context"
  | "memory search"
  | "other agent"
  | "channel"
  | "a definition that asks for it";

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
  readonly uses: readonly Operation[];
  readonly needs?: ToolNeed;
  readonly returnsUntrusted?: boolean;
  call(args: z.output<z.ZodObject<Shape, z.core.$strict>>, ask: Ask): Promise<Result<Answer, Refusal>>;
}

export function teamTool<Shape extends z.ZodRawShape>(spec: ToolSpec<Shape>): TeamTool {
  const { kind = "operation", name, description, uses, needs = "nothing", returnsUntrusted = true } = spec;
  // Made on first use: a daemon without work does not need the schemas.
  let made: { readonly input: z.ZodObject<Shape, z.core.$strict>; readonly inputSchema: JsonSchema } | undefined;
  const schemas = () => (made ??= makeSchemas(spec.input));
  return {
    kind,
    name,
    description,
    get inputSchema() {
      return schemas().inputSchema;
    },
    uses,
    needs,
    returnsUntrusted,
    async call(args, ask) {
      const { input, inputSchema } = schemas();
      const parsed = input.safeParse(coerceArguments(inputSchema, args));
      return parsed.success ? spec.call(parsed.data, ask) : refuseArguments(name, inputSchema, parsed.error);
    },
  };
}

function makeSchemas<Shape extends z.ZodRawShape>(shape: Shape) {
  const input = z.strictObject(shape);
  return { input, inputSchema: toJsonSchema(input) };
}

function toJsonSchema(input: z.ZodObject): JsonSchema {
  const { $schema: _, ...schema } = z.toJSONSchema(input, {
    target: "draft-7",
    io: "input",
    override: ({ jsonSchema }) => {
      // The limits of a safe integer tell a model nothing.
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    },
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
