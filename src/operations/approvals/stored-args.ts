import type { ApprovalRecord } from "../../ports/store/approval.ts";

/** Returns the arguments that were stored for people to read. Undefined when they were too long to be stored whole. */
export function storedArgs({ args }: Pick<ApprovalRecord, "args">): unknown {
  try {
    return JSON.parse(args);
  } catch {
    return undefined;
  }
}
