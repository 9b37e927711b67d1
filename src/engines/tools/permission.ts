import type { Permissions } from "../../domain/agent/definition.ts";
import { decidePermission } from "../../domain/agent/permission.ts";
import type { Approvals } from "../../ports/tools.ts";
import { failed, type Gate } from "./local-tool.ts";

export type AskApproval = Approvals["ask"];

/** Decides by the agent's permissions, or asks a person where they say so. A refusal always has a reason. */
export function permissionGate(permissions: Permissions | undefined, askApproval: AskApproval): Gate {
  return async (call, request) => {
    const { decision, pattern } = decidePermission(permissions, request);
    if (decision === "allow") return null;
    if (decision === "deny") {
      return failed(
        `Not allowed: "${pattern}" is denied to this agent. Find another way, or say what you need and why.`,
      );
    }
    const answer = await askApproval(call);
    if ("pending" in answer) return { kind: "approval", approval: answer.pending };
    return answer.approved ? null : failed(`A person refused this call: ${answer.reason}`);
  };
}
