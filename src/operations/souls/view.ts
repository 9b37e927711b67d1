import type { SoulChangeView, SoulProposalView, SoulVersionView } from "../../contract/souls.ts";
import { riskOf } from "../../domain/soul/risk.ts";
import type { SoulChange } from "../../domain/soul/soul-change.ts";
import type { SoulVersion } from "../../domain/soul/soul-history.ts";
import type { SoulProposalRecord } from "../../ports/store/soul-proposal.ts";
import type { Services } from "../core/define.ts";
import { currentSoul } from "./current-soul.ts";

export function toSoulChangeView(change: SoulChange): SoulChangeView {
  const value = change.kind === "replace" ? change.text : (change.item ?? null);
  return { kind: change.kind, trait: change.trait, value };
}

export function toSoulVersionView({ evidence, changes, ...version }: SoulVersion): SoulVersionView {
  return { ...version, evidence: [...evidence], changes: changes.map(toSoulChangeView) };
}

export function toSoulProposalView(services: Services, proposal: SoulProposalRecord): SoulProposalView {
  const { change, evidence, heard, createdAt, decidedAt, ...rest } = proposal;
  return {
    ...rest,
    change: toSoulChangeView(change),
    risk: proposalRisk(services, proposal),
    evidence: [...evidence],
    heard: [...heard],
    at: new Date(createdAt).toISOString(),
    decidedAt: decidedAt === null ? null : new Date(decidedAt).toISOString(),
  };
}

/** Returns the risk of a proposal for the current soul. */
export function proposalRisk(services: Services, { agent, source, change }: SoulProposalRecord) {
  const current = currentSoul(services, agent);
  if (!current.ok || current.value.problem !== null) return "significant";
  return riskOf({ source, change, soul: current.value.soul, learned: current.value.state.learned });
}
