import { z } from "zod";
import { runView } from "../contract/run.ts";
import { mailboxAgent } from "../domain/delivery/mailbox.ts";
import { formatSpace } from "../domain/message/space.ts";
import { parseTarget, targetSpace, type Target } from "../domain/message/target.ts";
import { ok } from "../kernel/result.ts";
import type { RunRecord } from "../ports/store/run.ts";
import type { StoreReads } from "../ports/store/store.ts";
import { persons } from "./access.ts";
import { query } from "./define.ts";
import { toRunView } from "./run-view.ts";

export const listRuns = query({
  name: "list-runs",
  summary: "List the last runs of the project, an agent, a workspace, or an agent in one, newest first.",
  input: z.object({
    target: z.string().optional().describe("alice, @review or alice@review"),
    limit: z.int().min(1).max(500).default(20),
  }),
  output: z.object({ runs: z.array(runView) }),
  access: persons,

  async answer({ target, limit }, ctx) {
    const parsed = target === undefined ? ok(undefined) : parseTarget(target);
    if (!parsed.ok) return parsed;
    const found = await ctx.readEverywhere((store) => latest(store, parsed.value, limit));
    const runs = found.flat().toSorted((a, b) => b.startedAt - a.startedAt);
    return ok({ runs: runs.slice(0, limit).map(toRunView) });
  },
});

/** Of one agent in a workspace: looked for among the last of the workspace. */
const LOOKED_AT = 500;

async function latest(store: StoreReads, target: Target | undefined, limit: number): Promise<RunRecord[]> {
  if (target === undefined) return store.runs.latest({ limit });
  if (target.kind === "dm") return store.runs.latest({ mailbox: target.agent, limit });
  const space = formatSpace(targetSpace(target));
  if (target.kind === "channel") return store.runs.latest({ space, limit });
  const runs = await store.runs.latest({ space, limit: LOOKED_AT });
  return runs.filter(({ mailbox }) => mailboxAgent(mailbox) === target.agent);
}
