import * as contract from "../../contract/souls.ts";
import { settleChange } from "../../domain/soul/learned-soul.ts";
import { changeText } from "../../domain/soul/soul-change.ts";
import { withVersion, type SoulState } from "../../domain/soul/soul-history.ts";
import { refuse, type Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import type { StagedSoul } from "../../ports/soul-file.ts";
import type { SoulProposalRecord } from "../../ports/store/soul-proposal.ts";
import { persons } from "../core/access.ts";
import { proposal, type Services } from "../core/define.ts";
import { personalOwner } from "../core/personal-owner.ts";
import { redactOptional } from "../core/redact-texts.ts";
import { findSoulProposal } from "./find-soul-proposal.ts";
import { proposalRisk, toSoulProposalView } from "./view.ts";

const GUARD = "guard";
/** A person may save the file at the same moment. */
const ATTEMPTS = 5;

interface PreparedApproval {
  readonly version: number;
  /** Absent when the file has the version: the daemon crashed between writing the file and the commit. */
  readonly staged: StagedSoul | undefined;
}

/**
 * Adds a proposed change to the soul, as a new version in the agent's soul file. The file is published in the
 * transaction that closes the proposal, as the last step that can be refused. The guard may approve only small changes,
 * and only where the project allows it.
 */
export const approveSoul = proposal(contract.approveSoul, {
  access: persons,
  attempts: ATTEMPTS,

  async prepare({ id, reason }, ctx) {
    const found = await ctx.read((store) => findSoulProposal(store, id));
    if (!found.ok) return found;
    const allowed = ctx.caller.kind === "system" ? checkSmall(ctx.services, found.value) : ok(undefined);
    if (!allowed.ok) return allowed;
    const owner = await personalOwner(ctx, found.value.agent);
    if (!owner.ok) return owner;
    const { soul: file } = owner.value.context;
    await file.refresh();
    const applied = file.read().state.versions.find((each) => each.proposal === id);
    if (applied !== undefined) return ok<PreparedApproval>({ version: applied.version, staged: undefined });

    const baseline = ctx.services.definitions.agent(found.value.agent)?.soul;
    const why = reason === undefined || reason === "" ? "" : ` ${ctx.services.redact(reason)}`;
    const staged = await file.stage((state): Result<SoulState, Refusal> => {
      const change = settleChange(baseline, state.learned, found.value.change);
      if (change === null) return refuseUnchanged(found.value);
      return ok(
        withVersion(state, [change], {
          at: new Date(ctx.now).toISOString(),
          by: ctx.caller.kind === "system" ? GUARD : "user",
          why: `${found.value.observation}${why}`,
          evidence: found.value.evidence,
          proposal: id,
        }),
      );
    });
    if (!staged.ok) return staged;
    const version = staged.value.state.versions.at(-1)?.version ?? 0;
    return ok<PreparedApproval>({ version, staged: staged.value });
  },
  abandon: ({ staged }) => staged?.discard(),

  async execute({ id, reason }, ctx, { version, staged }) {
    const found = await findSoulProposal(ctx.store, id);
    if (!found.ok) return found;
    const by = ctx.caller.kind === "system" ? GUARD : "user";
    const decision = {
      state: "approved",
      decidedBy: by,
      reason: redactOptional(reason, ctx.services.redact),
      version,
      decidedAt: ctx.now,
    } as const;
    await ctx.store.soulProposals.decide(id, decision);
    const { agent } = found.value;
    await ctx.emit({ type: "soul.decided", agent, proposal: id, state: "approved", by });
    await ctx.emit({ type: "soul.changed", agent, version, by });
    const published = (await staged?.publish(ctx.store)) ?? ok(undefined);
    return published.ok ? ok(toSoulProposalView(ctx.services, { ...found.value, ...decision })) : published;
  },
});

function checkSmall(services: Services, found: SoulProposalRecord): Result<undefined, Refusal> {
  const { apply } = services.definitions.settings().guard.soul;
  if (apply === "small" && proposalRisk(services, found) === "small") return ok(undefined);
  return refuse("forbidden", `${found.id} waits for a person.`, {
    hint: `agent-worker agent soul ${found.agent} approve ${found.id}`,
  });
}

function refuseUnchanged({ id, agent, change }: SoulProposalRecord) {
  return refuse("conflict", `The soul of ${agent} would be the same: ${changeText(change)}`, {
    hint: `Reject it: agent-worker agent soul ${agent} reject ${id}`,
  });
}
