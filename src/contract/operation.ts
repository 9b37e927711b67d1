import type { z } from "zod";

/**
 * The declaration of an operation: everything a client, a server or a reader must know about it. Routes, OpenAPI, the
 * typed clients, the MCP tools of a person and `agent-worker call` are derived from it. How it works is in the file of
 * the same name under `operations/`.
 */
export interface OperationDeclaration<
  Kind extends "proposal" | "query" = "proposal" | "query",
  Name extends string = string,
  Input extends z.ZodType = z.ZodType,
  Output extends z.ZodType = z.ZodType,
> {
  /** A proposal changes state; a query reads. */
  readonly kind: Kind;
  readonly name: Name;
  /** One sentence for people and models: help text, OpenAPI summary and tool description. */
  readonly summary: string;
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /**
   * Parts that begin with ":" are fields of the input. The other fields are in the query string of a GET or DELETE and
   * in the JSON body of a POST or PUT.
   */
  readonly path: string;
  /**
   * The name under which a person's own coding agent calls it over MCP. Absent where a model must not act in a person's
   * place, as in approving tool calls and deciding about souls.
   */
  readonly personTool?: string;
  /** The body may be larger than usual, because the input contains texts of any size. */
  readonly large?: true;
  readonly input: Input;
  readonly output: Output;
}

type Declared<
  Kind extends "proposal" | "query",
  Name extends string,
  Input extends z.ZodType,
  Output extends z.ZodType,
> = Omit<OperationDeclaration<Kind, Name, Input, Output>, "kind">;

export function declareProposal<const Name extends string, Input extends z.ZodType, Output extends z.ZodType>(
  declared: Declared<"proposal", Name, Input, Output>,
): OperationDeclaration<"proposal", Name, Input, Output> {
  return { ...declared, kind: "proposal" };
}

export function declareQuery<const Name extends string, Input extends z.ZodType, Output extends z.ZodType>(
  declared: Declared<"query", Name, Input, Output>,
): OperationDeclaration<"query", Name, Input, Output> {
  return { ...declared, kind: "query" };
}
