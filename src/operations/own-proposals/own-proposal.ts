import type { z } from "zod";
import type { OperationTypes, Proposal } from "../../kernel/proposal.ts";
import type { Refusal } from "../../kernel/refusal.ts";
import type { Result } from "../../kernel/result.ts";
import type { DefinitionProblem } from "../../ports/definitions.ts";
import type { ProposalAccess } from "./definition.ts";

/** A proposal that code of the project, or the program around the daemon, defines: ready to be called. */
export interface OwnProposalOf<Types extends OperationTypes> {
  readonly name: string;
  readonly summary: string;
  /** Relative to the project; null when the program around the daemon gave it. */
  readonly file: string | null;
  readonly operation: OwnOperationOf<Types>;
  /** For agents, which act in the space they run in. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
  /** The same with `target`, for persons. */
  readonly personInput: z.ZodObject;
  readonly output: z.ZodType | undefined;
  readonly access: ProposalAccess;
  readonly ballotable: boolean;
  /** It cannot be a part of another proposal, because its preparation takes place outside of transactions. */
  readonly prepares: boolean;
}

export type OwnOperationOf<Types extends OperationTypes> = Proposal<Types, z.ZodType, z.ZodType, unknown>;

/**
 * The own proposals of a project. Files are imported by `refresh` only, and only those whose content a person allowed.
 */
export interface OwnProposalsOf<Types extends OperationTypes> {
  /** Looks at the files, and loads what changed. Call it before each use. Never rejects. */
  refresh(): Promise<void>;
  /** As of the last refresh, sorted by name. */
  all(): readonly OwnProposalOf<Types>[];
  /** Undefined when nothing has this name. Refused when the file that should define it is broken, or not allowed. */
  find(name: string): Result<OwnProposalOf<Types>, Refusal> | undefined;
  /** Mistakes, and what is not used because nobody allowed it. Reads files that changed, and imports nothing. */
  problems(): readonly DefinitionProblem[];
}
