import type { PermissionOption, RequestPermissionOutcome } from "@agentclientprotocol/sdk";
import type { PermissionDecision } from "../shared/permission-broker.ts";

/**
 * Returns the decision as one of the options the agent offered. "Once" is preferred to "always", so that every call is
 * decided on. `cancelled` for a call that waits, because its turn is cancelled, and when no option fits.
 */
export function permissionOutcome(
  decision: PermissionDecision,
  options: readonly PermissionOption[],
): RequestPermissionOutcome {
  const kinds = { allow: ["allow_once", "allow_always"], refuse: ["reject_once", "reject_always"], wait: [] } as const;
  const option = kinds[decision.kind]
    .map((kind) => options.find((each) => each.kind === kind))
    .find((found) => found !== undefined);
  return option === undefined ? { outcome: "cancelled" } : { outcome: "selected", optionId: option.optionId };
}
