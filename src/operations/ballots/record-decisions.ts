import { z } from "zod";
import { refuse } from "../../kernel/refusal.ts";
import { ok } from "../../kernel/result.ts";
import type { StagedDocument } from "../../ports/documents.ts";
import type { StoreReads } from "../../ports/store/store.ts";
import { callerName, systemOnly } from "../core/access.ts";
import { proposal } from "../core/define.ts";
import { DECISIONS_FILE, withDecisions } from "./decisions-file.ts";

const BATCH = 100;
/** A person or an agent may write to the file at the same moment. */
const ATTEMPTS = 8;

interface PreparedRecord {
  readonly ids: readonly string[];
  /** Absent when the file contains them all: the daemon crashed between writing the file and the commit. */
  readonly change: { readonly staged: StagedDocument; readonly expectRevision: string | null } | undefined;
}

/**
 * Appends decided ballots to `decisions.md`. No file can be written in the transaction of the deciding vote, so the store
 * marks which ballots are not in the file yet. Calling it again is safe: a ballot in the file is not appended again, and
 * one that was removed from the file is not restored.
 */
export const recordDecisions = proposal(
  {
    name: "record-decisions",
    summary: "Write the decided ballots of a workspace into its decisions.md.",
    input: z.object({ space: z.string() }),
    output: z.object({ recorded: z.array(z.string()), more: z.boolean() }),
  },
  {
    access: systemOnly,
    attempts: ATTEMPTS,

    async prepare({ space }, ctx) {
      const { workspace, decided } = await ctx.read(async (store) => ({
        workspace: await store.workspaces.byKey(space),
        decided: await readDecided(store, space),
      }));
      if (workspace === undefined) return refuse("not_found", `There is no workspace ${space}.`);
      const ids = decided.map(({ ballot }) => ballot.id);
      if (ids.length === 0) return ok<PreparedRecord>({ ids, change: undefined });

      const documents = ctx.services.documents(workspace);
      if (!documents.ok) return documents;
      const current = await documents.value.read(DECISIONS_FILE);
      if (!current.ok && current.error.code !== "not_found") return current;
      const before = current.ok ? current.value.content : "";
      const after = withDecisions(before, decided);
      if (after === before) return ok<PreparedRecord>({ ids, change: undefined });
      const staged = await documents.value.stage(DECISIONS_FILE, after.toWellFormed());
      if (!staged.ok) return staged;
      const expectRevision = current.ok ? current.value.revision : null;
      return ok<PreparedRecord>({ ids, change: { staged: staged.value, expectRevision } });
    },
    abandon: ({ change }) => change?.staged.discard(),

    async execute({ space }, ctx, { ids, change }) {
      for (const id of ids) await ctx.store.ballots.markRecorded(id);
      const more = (await ctx.store.ballots.unrecorded(space, 1)).length > 0;
      if (change === undefined) return ok({ recorded: [...ids], more });
      const { staged, expectRevision } = change;
      const { revision } = staged;
      await ctx.emit({ type: "document.written", space, file: DECISIONS_FILE, revision, by: callerName(ctx.caller) });
      const published = await staged.publish({ expectRevision });
      return published.ok ? ok({ recorded: [...ids], more }) : published;
    },
  },
);

async function readDecided(store: StoreReads, space: string) {
  const decided = [];
  for (const ballot of await store.ballots.unrecorded(space, BATCH)) {
    decided.push({ ballot, votes: await store.ballots.votes(ballot.id) });
  }
  return decided;
}
