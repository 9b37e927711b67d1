import type { TrustView } from "../../contract/trust.ts";
import type { AgentInUse } from "../../domain/trust/project-abilities.ts";
import type { Trust } from "../../ports/trust.ts";

export function toTrustView(trust: Trust, inUse: readonly AgentInUse[]): TrustView {
  const { abilities, facts, ...state } = trust.state(inUse);
  return { ...state, abilities: [...abilities], facts: [...facts] };
}
