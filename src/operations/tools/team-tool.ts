import { z } from "zod";
import type { Proposal, Query } from "../../kernel/proposal.ts";
import { refuse, type Refusal } from "../../kernel/refusal.ts";
import type { Result } from "../../kernel/result.ts";
import type { Operation, ProductTypes } from "../core/define.ts";
import { coerceArguments } from "./coerce-arguments.ts";

/**
 * A tool is how an agent makes a proposal or asks a question: names and fields in the spelling models know, and an
 * answer in words it can act on. It adds no right: what the operations behind it allow is what it can do.
 */
export interface TeamTool {
  /** `silence` ends the turn without a word and changes nothing: whoever runs the agent looks for its call. */
  readonly kind: "operation" | "silence";
  readonly name: string;
  readonly description: string;
  /** JSON Schema (draft 7) of an object. */
  readonly inputSchema: JsonSchema;
  /** The caller must be allowed every one of them to be offered the tool. */
  readonly uses: readonly Operation[];
  readonly needs: ToolNeed;
  /** False when its results hold nothing but what the agent itself says and what the system knows. */
  readonly returnsUntrusted: boolean;
  /** Checks the arguments and asks. */
  call(args: unknown, ask: Ask): Promise<Result<Answer, Refusal>>;
}

/** What an agent must have besides the right: a personal context, others who have one, messages it shares, a word for it. */
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
}

/** Calls an operation as the agent, and puts its answer into words; the data is the operation's own unless replaced. */
export type Ask = <Input extends z.ZodType, Output extends z.ZodType>(
  operation: Proposal<ProductTypes, Input, Output, unknown> | Query<ProductTypes, Input, Output>,
  data: z.input<Input>,
  inWords: (output: z.output<Output>) => string | Answer,
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
  // Made when the first agent sees the tool: a daemon without work need not have the schemas of all of them.
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
      // "As precise as a number can be" tells a model nothing.
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    },
  });
  return schema;
}

function refuseArguments(tool: string, schema: JsonSchema, error: z.ZodError) {
  const issues = error.issues.map(({ path, message }) => ({ path: path.join("."), message }));
  const said = issues.map(({ path, message }) => (path === "" ? message : `${path}: ${message}`));
  const { properties = {}, required = [] } = schema;
  const needed = new Set(Array.isArray(required) ? required : []);
  const fields = Object.keys(properties ?? {}).map((name) => (needed.has(name) ? `${name} (required)` : name));
  return refuse("invalid", `${tool} cannot be called like this. ${said.join("; ")}.`, {
    hint: fields.length === 0 ? `${tool} takes no arguments.` : `${tool} takes: ${fields.join(", ")}.`,
    details: { issues },
  });
}
