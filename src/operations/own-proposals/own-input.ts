import { z } from "zod";
import { hintForUnknown } from "../../kernel/closest.ts";
import type { ProposalDefinition } from "./definition.ts";

/** The checked input of a call: what the definition describes, and where a person wants it to act. */
export interface OwnInput {
  readonly data: Record<string, unknown>;
  readonly target: string | undefined;
}

export const TARGET = "target";

/** Checks a call. Fields that the definition does not have are refused, so that a misspelt one is noticed. */
export function ownInput(
  { name, input }: Pick<ProposalDefinition, "name" | "input">,
  placeOf: (error: unknown) => string | undefined,
): z.ZodType<OwnInput> {
  const known = [...Object.keys(input.shape), TARGET];
  return z.unknown().transform((value, context): OwnInput => {
    const fail = (message: string, path: PropertyKey[] = []): never => {
      context.issues.push({ code: "custom", message, path, input: value });
      return z.NEVER;
    };
    if (typeof value !== "object" || value === null || Array.isArray(value)) return fail("it takes an object");
    const { [TARGET]: target, ...fields } = value as Record<string, unknown>;
    if (target !== undefined && typeof target !== "string") return fail("expected a text", [TARGET]);
    const unknown = Object.keys(fields).find((field) => !known.includes(field));
    if (unknown !== undefined) {
      const hint = hintForUnknown(unknown, known, "fields").replace(/\.$/, "");
      return fail(`there is no field "${unknown}". ${hint}`);
    }
    try {
      const parsed = input.safeParse(fields);
      if (parsed.success) return { data: parsed.data, target };
      for (const { message, path } of parsed.error.issues) fail(message, [...path]);
      return z.NEVER;
    } catch (error) {
      // Refinements and transformations are code of the project.
      return fail(`the input of ${name} failed at ${placeOf(error) ?? "an unknown place"}: ${messageOf(error)}`);
    }
  });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
