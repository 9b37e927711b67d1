import type { TrustView } from "../../contract/trust.ts";
import type { Trust } from "../../ports/trust.ts";

export function toTrustView(trust: Trust): TrustView {
  const { abilities, facts, ...state } = trust.state();
  return { ...state, abilities: [...abilities], facts: [...facts] };
}
