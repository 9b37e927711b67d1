import * as contract from "../../contract/git/worktrees.ts";
import type { z } from "zod";
import { parseTarget } from "../../domain/message/target.ts";
import { PERSON } from "../../domain/message/message.ts";
import { worktreeTarget, type WorktreeChoice, type WorktreePlace } from "../../domain/worktree/worktree.ts";
import { refuse, type Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import { EngineFailure } from "../../ports/engine.ts";
import type { ApplyOutcome } from "../../ports/worktrees.ts";
import { persons } from "../core/access.ts";
import { proposal, type Read } from "../core/define.ts";
import { postMessage } from "../messages/post-message.ts";
import { findAgent } from "../agents/find-agent.ts";
import { findRunAgent, missingText } from "../runs/run-agent.ts";
import { findWorktree, parsePlace } from "./find-worktree.ts";
import { spaceOfWorktree } from "./view.ts";

type Applied = z.output<typeof contract.applyWorktree.output>;

export const applyWorktree = proposal(contract.applyWorktree, {
  access: persons,

  async prepare(data, ctx) {
    const { worktrees } = ctx.services;
    const found = await findWorktree(worktrees, data.target);
    if (!found.ok) return found;
    const { place, branch } = found.value;
    const options = { leaveConflicts: data.conflicts && data.to === undefined, withProtected: data.protected };
    const applied = await worktrees.apply(place, options);
    if (!applied.ok) return applied;
    if (applied.value.kind !== "conflicts" || data.to === undefined) return ok(toView(branch, applied.value));
    const to = await handOver(ctx, place, data.to);
    return to.ok ? ok({ ...toView(branch, applied.value), outcome: "handed-over", to: to.value } as const) : to;
  },

  async execute(_, ctx, prepared: Applied) {
    if (prepared.to === null) return ok(prepared);
    const target = parseTarget(prepared.to);
    if (!target.ok) return target;
    const posted = await postMessage(ctx, {
      target: target.value,
      sender: PERSON,
      kind: "message",
      body: requestText(prepared),
      cause: null,
      run: null,
    });
    return posted.ok ? ok(prepared) : posted;
  },
});

function toView(branch: string | null, outcome: ApplyOutcome): Applied {
  const view = { branch, commit: null, files: [], conflicts: [], left: false, to: null };
  switch (outcome.kind) {
    case "nothing":
      return { ...view, outcome: "nothing" };
    case "applied":
      return { ...view, outcome: "applied", commit: outcome.commit, files: [...outcome.changed] };
    case "conflicts":
      return { ...view, outcome: "conflicts", conflicts: [...outcome.conflicts], left: outcome.left };
  }
}

/** Begins the merge in the worktree of another agent. Returns the target of the message that asks it. */
async function handOver(ctx: Read, from: WorktreePlace, to: string): Promise<Result<string, Refusal>> {
  const { definitions, worktrees } = ctx.services;
  const named = parsePlace(to);
  if (!named.ok) return named;
  const { agent } = named.value;
  if (agent === null) return refuse("invalid", `${to} is no agent.`, { hint: "Name one agent: bob, or bob@review." });
  const place = named.value.workspace === null ? await placeBeside(ctx, from, agent) : named.value;
  const space = spaceOfWorktree(place);
  const found = await ctx.read((store) => findRunAgent(store, definitions, { agent, space: space ?? agent }));
  if (found.kind === "removed" && place.workspace === null) {
    const known = await findAgent(definitions, agent);
    if (!known.ok) return known;
  }
  if (found.kind !== "found") return refuse("not_found", `${to} cannot resolve the conflicts. ${missingText(found)}`);
  const choice = found.agent.definition.worktree;
  if (!choice) {
    return refuse("conflict", `${to} cannot resolve the conflicts: it has no worktree.`, {
      hint: `Add "worktree: true" to its file, or resolve them yourself: agent-worker apply ${worktreeTarget(from)} --conflicts`,
    });
  }
  const own = choice.of === "workspace" && place.workspace !== null ? { ...place, agent: null } : place;
  const refused = await makeSure(ctx, own, choice);
  if (refused !== undefined) return refused;
  const handed = await worktrees.handOver(from, own);
  return handed.ok ? ok(worktreeTarget(place)) : handed;
}

/** The worktree of the other agent may not exist yet. */
async function makeSure({ services }: Read, place: WorktreePlace, choice: Exclude<WorktreeChoice, false>) {
  try {
    (await services.worktrees.open(place, choice, place.agent ?? "agent-worker"))[Symbol.dispose]();
    return undefined;
  } catch (error) {
    if (error instanceof EngineFailure) return refuse("conflict", error.message);
    throw error;
  }
}

/** The agent is asked in the same workspace, if it takes part there and the workspace is open; else in its direct messages. */
async function placeBeside(ctx: Read, from: WorktreePlace, agent: string): Promise<WorktreePlace> {
  const alone = { agent, workspace: null };
  const space = spaceOfWorktree(from);
  if (from.workspace === null || space === null) return alone;
  const takesPart = await ctx.read(async (store) => {
    const status = await store.workspaces.status(space);
    return status?.state === "open" && (await store.workspaces.member(space, agent)) !== undefined;
  });
  return takesPart ? { agent, workspace: from.workspace } : alone;
}

function requestText({ branch, conflicts }: Applied): string {
  const paths = conflicts.map(({ path }) => `- ${path}`).join("\n");
  return [
    `The changes of ${branch ?? "a branch"} do not fit to what the project has now. The merge is in your working`,
    "directory, with git's markers (<<<<<<<, =======, >>>>>>>) in these files:",
    "",
    paths,
    "",
    "Resolve every conflict in the files so that both changes keep their meaning, and remove the markers. Then say",
    "briefly what you decided. What you leave in the files is committed when you are done.",
  ].join("\n");
}
