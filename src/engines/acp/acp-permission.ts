import type { PermissionOption, RequestPermissionOutcome } from "@agentclientprotocol/sdk";
import type { PermissionDecision } from "../shared/permission-broker.ts";

/**
 * A decision in the words an agent offered. What is allowed is allowed once, so that every call is judged. An agent that
 * has to wait is told that its turn is cancelled, which it then is; so is one that offers no way to say it.
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
