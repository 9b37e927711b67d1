import type { Client } from "../../client/client.ts";
import type { RequestResult } from "../../contract/service/work-request.ts";
import { workSummaryText, type WorkSummary } from "./work-summary.ts";

/** Asks the daemon what the summary of a finished request needs, and returns it. */
export async function summarizeWork(
  client: Client,
  result: RequestResult,
  { startedAt, ...seen }: Pick<WorkSummary, "wallTimeMs" | "files"> & { readonly startedAt: number },
): Promise<string> {
  const { space } = result;
  const isWorkspace = space.startsWith("@");
  const [approvals, dead, workspace, ballots, suggestions, documents] = await Promise.all([
    client.call("list-approvals", { target: space }),
    client.call("list-dead-letters", { target: space }),
    isWorkspace ? client.call("show-workspace", { target: space }) : undefined,
    isWorkspace ? client.call("list-ballots", { target: space }) : undefined,
    isWorkspace ? client.call("list-suggestions", { target: space }) : undefined,
    isWorkspace ? client.call("list-documents", { target: space }) : undefined,
  ]);
  const written = documents?.ok === true ? documents.value.documents : [];
  return workSummaryText({
    result,
    ...seen,
    documents: written.filter(({ modifiedAt }) => Date.parse(modifiedAt) >= startedAt).map(({ file }) => file),
    open: {
      approvals: approvals.ok ? approvals.value.approvals.length : 0,
      dead: dead.ok ? dead.value.total : 0,
      ballots: ballots?.ok === true ? ballots.value.ballots.length : 0,
      suggestions: suggestions?.ok === true ? suggestions.value.suggestions.length : 0,
    },
    isOpen: !isWorkspace || (workspace?.ok === true && workspace.value.state === "open"),
  });
}
