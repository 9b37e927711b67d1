import { z } from "zod";

/** Approvals as every face shows them. */
export const approvalView = z.object({
  id: z.string(),
  space: z.string(),
  agent: z.string(),
  run: z.string(),
  tool: z.string(),
  /** The arguments as JSON, without secrets. Of long ones the middle is missing, and it says so. */
  args: z.string(),
  state: z.enum(["pending", "approved", "denied"]),
  reason: z.string().nullable(),
  decidedBy: z.string().nullable(),
  requestedAt: z.iso.datetime(),
  decidedAt: z.iso.datetime().nullable(),
});
export type ApprovalView = z.output<typeof approvalView>;
