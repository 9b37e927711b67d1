import { MAX_OPTIONS } from "../../domain/ballot/terms.ts";
import { formatDuration } from "../../domain/schedule/duration.ts";
import { ELECTION_TIMEOUT_MS, UNDECIDED_OWNER } from "../../domain/workspace/owner-election.ts";
import { systemCaller } from "../../kernel/caller.ts";
import type { Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import { createBallot } from "../ballots/create-ballot.ts";
import type { Execute } from "../core/define.ts";
import { findWorkflow } from "./find-workflow.ts";

/**
 * Opens the ballot in which the participants elect the owner of the documents, if the workspace needs one. Returns
 * whether it does. No agent may write documents until it is decided, so it is short and has a fallback: the first
 * participant.
 */
export async function openOwnerElection(ctx: Execute, space: string): Promise<Result<boolean, Refusal>> {
  const workspace = await ctx.store.workspaces.byKey(space);
  if (workspace?.documentOwner !== UNDECIDED_OWNER) return ok(false);
  const workflow = findWorkflow(ctx.services.definitions, workspace.workflow, workspace.file);
  const timeout = (workflow.ok ? workflow.value.workspace.electionTimeoutMs : undefined) ?? ELECTION_TIMEOUT_MS;
  const candidates = (await ctx.store.workspaces.roster(space)).slice(0, MAX_OPTIONS).map(({ agent }) => agent);
  const [first] = candidates;
  const ballot = await ctx.propose(
    createBallot,
    {
      target: space,
      type: "election",
      title: "Who owns the documents of this workspace?",
      options: candidates.map((name) => ({ id: name, label: name })),
      then: "document-owner",
      timeout: formatDuration(timeout),
      ...(first === undefined ? {} : { fallback: first }),
    },
    systemCaller,
  );
  return ballot.ok ? ok(true) : ballot;
}
