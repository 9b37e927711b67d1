import { z } from "zod";
import { definitionProblemView } from "../agents.ts";
import { declareQuery } from "../operation.ts";

export const ownProposalView = z.object({
  name: z.string(),
  summary: z.string(),
  /** The file that defines it, relative to the project. Null when the program around the daemon does. */
  file: z.string().nullable(),
  /** Who may call it, in words. */
  access: z.string(),
  /** A ballot may propose it. */
  ballotable: z.boolean(),
  /** It prepares something outside of its transaction, so no rule, ballot or other proposal can propose it. */
  prepares: z.boolean(),
  /** JSON Schema of the input, with `target` for persons. */
  input: z.record(z.string(), z.unknown()),
});
export type OwnProposalView = z.output<typeof ownProposalView>;

export const listOwnProposals = declareQuery({
  name: "list-own-proposals",
  summary: "List the proposals that this project defines in code, and the files that cannot be used.",
  method: "GET",
  path: "/own-proposals",
  input: z.object({}),
  output: z.object({ proposals: z.array(ownProposalView), problems: z.array(definitionProblemView) }),
});
