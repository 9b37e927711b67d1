import * as contract from "../../contract/reading/search.ts";
import type { FoundLineView, FoundView } from "../../contract/reading/search.ts";
import { ok } from "../../kernel/result.ts";
import type { RunRecord } from "../../ports/store/run.ts";
import type { WorkspaceRecord } from "../../ports/store/workspace.ts";
import { persons } from "../core/access.ts";
import { query, type Read } from "../core/define.ts";
import { toMessageView } from "../messages/view.ts";

/** Each request looks at no more than this, whatever the size of the store. */
const MOST_MESSAGES = 20_000;
const MOST_RUNS = 1_000;
const MOST_DOCUMENTS = 200;
const MOST_DOCUMENT_BYTES = 4 * 1024 * 1024;
const LONGEST_LINE = 300;

export const search = query(contract.search, {
  access: persons,

  async execute({ text, before, limit }, ctx) {
    const contains = text.toLowerCase();
    const matches = (candidate: string | null | undefined): boolean =>
      candidate?.toLowerCase().includes(contains) === true;
    const found = await ctx.read(async (store) => ({
      messages: await store.messages.search({
        contains: text,
        most: MOST_MESSAGES,
        limit,
        ...(before === undefined ? {} : { before }),
      }),
      // Only with the first part: who goes on has seen them.
      runs: before === undefined ? await store.history.list({ limit: MOST_RUNS }) : [],
      workspaces: before === undefined ? await store.workspaces.list() : [],
    }));
    const open = found.workspaces.filter(({ state }) => state === "open");
    return ok({
      agents: before === undefined ? findAgents(ctx, matches).slice(0, limit) : [],
      workspaces: found.workspaces
        .filter(({ key }) => matches(key))
        .slice(0, limit)
        .map(({ key, state }) => ({ space: key, state })),
      documents: await findLines(ctx, open, matches, limit),
      runs: found.runs
        .filter(({ id, detail, reason }) => matches(id) || matches(detail) || matches(reason))
        .slice(0, limit)
        .map(toFoundRun),
      messages: found.messages.messages.slice(0, limit).map(toMessageView),
      next: found.messages.next,
    });
  },
});

type Matches = (candidate: string | null | undefined) => boolean;

function findAgents({ services: { definitions } }: Read, matches: Matches): FoundView["agents"] {
  return definitions
    .agents()
    .filter(({ name, soul }) => matches(name) || matches(soul?.role))
    .map(({ name, soul }) => ({ name, role: soul?.role ?? null }));
}

function toFoundRun({ id, agent, space, startedAt, outcome, detail }: RunRecord): FoundView["runs"][number] {
  return { id, agent, space, startedAt: new Date(startedAt).toISOString(), outcome, detail };
}

/** Returns at most one line of each document: whoever opens it sees the others. */
async function findLines(
  { services }: Read,
  workspaces: readonly WorkspaceRecord[],
  matches: Matches,
  limit: number,
): Promise<FoundLineView[]> {
  const found: FoundLineView[] = [];
  let bytesLeft = MOST_DOCUMENT_BYTES;
  let documentsLeft = MOST_DOCUMENTS;
  for (const workspace of workspaces) {
    const documents = services.documents(workspace);
    if (!documents.ok) continue;
    for (const { file, bytes } of await documents.value.list()) {
      if (found.length >= limit || documentsLeft <= 0 || bytes > bytesLeft) return found;
      documentsLeft -= 1;
      bytesLeft -= bytes;
      const read = await documents.value.read(file);
      const lines = read.ok ? read.value.content.split("\n") : [];
      const at = lines.findIndex((line) => matches(line));
      if (at === -1 && !matches(file)) continue;
      const text = (lines[Math.max(at, 0)] ?? "").slice(0, LONGEST_LINE).toWellFormed();
      found.push({ space: workspace.key, file, line: Math.max(at, 0) + 1, text });
    }
  }
  return found;
}
