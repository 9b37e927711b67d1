import type { OwnProposal } from "../core/define.ts";
import { z } from "zod";
import { operations } from "../../contract/operations.ts";
import { TEAM_TOOL_NAMES } from "../../domain/agent/team-tool-names.ts";
import { SHELL_TOOLS, SKILL_TOOL } from "../../domain/agent/tool-choice.ts";
import { toolNameSkeleton } from "../../domain/agent/tool-name-skeleton.ts";
import type { JsonSchema } from "../tools/team-tool.ts";
import type { ProposalDefinition } from "./definition.ts";
import { ownOperation, type OwnOperationParts } from "./own-operation.ts";
import { TARGET } from "./own-input.ts";

/** What is wrong with a definition; `field` is what it is about. */
export interface DefinitionMistake {
  readonly field: keyof ProposalDefinition;
  readonly message: string;
  readonly hint?: string;
}

const NAME = /^[a-z][a-z0-9_-]{0,62}$/;

let taken: ReadonlyMap<string, string> | undefined;

/** Returns what is wrong with the name: how it is written, or that something built-in has it. */
export function checkProposalName(name: unknown): DefinitionMistake | undefined {
  if (typeof name !== "string" || !NAME.test(name)) {
    const message = "The name is not made of lower-case letters, digits, _ and -, beginning with a letter.";
    return { field: "name", message, hint: 'Such as "merge_gate".' };
  }
  taken ??= new Map(
    [
      ...operations.flatMap((each) => [each.name, ...(each.personTool === undefined ? [] : [each.personTool])]),
      ...TEAM_TOOL_NAMES,
      ...SHELL_TOOLS,
      SKILL_TOOL,
      "workflow_start",
    ].map((each) => [toolNameSkeleton(each), each]),
  );
  const builtIn = taken.get(toolNameSkeleton(name));
  if (builtIn === undefined) return undefined;
  const message = `"${name}" has the name of something built-in: ${builtIn}.`;
  return { field: "name", message, hint: "Choose another name." };
}

/** Makes an own proposal of what a file exports, or says what is wrong with it. Imports nothing and calls nothing. */
export function readDefinition(
  definition: ProposalDefinition,
  file: string | null,
  parts: OwnOperationParts,
): { readonly made: OwnProposal } | { readonly mistake: DefinitionMistake } {
  const mistake = checkProposalName(definition.name) ?? checkFields(definition);
  if (mistake !== undefined) return { mistake };
  const { name, summary, input, output, access, ballotable = false, prepare } = definition;
  let inputSchema: JsonSchema;
  try {
    inputSchema = toJsonSchema(input);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { mistake: { field: "input", message: `Its input cannot be described to clients: ${reason}` } };
  }
  const target = z.string().optional().describe("Where it acts: @review or @review:pr-1.");
  const personInput = z.object({ ...input.shape, [TARGET]: target });
  const operation = ownOperation(definition, parts);
  const prepares = prepare !== undefined;
  return { made: { name, summary, file, operation, inputSchema, personInput, output, access, ballotable, prepares } };
}

function checkFields(definition: ProposalDefinition): DefinitionMistake | undefined {
  const { summary, input, output, access, execute, prepare, ballotable, prepareTimeoutMs } = definition;
  if (typeof summary !== "string" || summary.trim() === "") {
    return { field: "summary", message: "The summary is missing: one sentence for people and models." };
  }
  if (!isSchema(input) || !("shape" in input)) {
    return { field: "input", message: "The input is not a z.object of zod 4.", hint: 'import { z } from "zod"' };
  }
  if (Object.hasOwn(input.shape, TARGET)) {
    const hint = "A person says with it where the proposal acts: see ctx.space.";
    return { field: "input", message: `The input cannot have a field "${TARGET}".`, hint };
  }
  if (output !== undefined && !isSchema(output)) {
    return { field: "output", message: "The output is not a schema of zod 4." };
  }
  if (!isAccess(access)) {
    const hint = '"person", "agents", "everyone", or { person, agents, workflows }.';
    return { field: "access", message: "The access is missing, or is none: it says who may call.", hint };
  }
  if (typeof execute !== "function") return { field: "execute", message: "There is no function execute." };
  if (prepare !== undefined && typeof prepare !== "function") {
    return { field: "prepare", message: "prepare is not a function." };
  }
  if (ballotable === true && prepare !== undefined) {
    return { field: "ballotable", message: "What prepares something first cannot follow from a ballot." };
  }
  if (prepareTimeoutMs !== undefined && !(Number.isFinite(prepareTimeoutMs) && prepareTimeoutMs > 0)) {
    return { field: "prepareTimeoutMs", message: "prepareTimeoutMs is not a number of milliseconds." };
  }
  return undefined;
}

/** Another copy of zod is as good. */
function isSchema(value: unknown): value is z.ZodType {
  return typeof value === "object" && value !== null && "_zod" in value && "safeParse" in value;
}

function isAccess(access: unknown): boolean {
  if (typeof access === "string") return ["person", "agents", "everyone"].includes(access);
  if (typeof access !== "object" || access === null || Array.isArray(access)) return false;
  const isNames = (value: unknown) => Array.isArray(value) && value.every((each) => typeof each === "string");
  return Object.entries(access).every(([key, value]) => {
    if (key === "person") return typeof value === "boolean";
    if (key === "agents") return typeof value === "boolean" || isNames(value);
    return key === "workflows" && isNames(value);
  });
}

function toJsonSchema(input: z.ZodObject): JsonSchema {
  const { $schema: _, ...schema } = z.toJSONSchema(input, { target: "draft-7", io: "input" });
  return schema;
}
