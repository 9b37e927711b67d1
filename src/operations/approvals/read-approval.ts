import { z } from "zod";
import { refuse } from "../../kernel/refusal.ts";
import { ok } from "../../kernel/result.ts";
import { query } from "../core/define.ts";
import { approvalState, runsOnly } from "./request-approval.ts";

/** Returns the state of an approval, to the run that requested it only. */
export const readApproval = query(
  {
    name: "read-approval",
    summary: "See what a person said to a tool call this run asked about.",
    input: z.object({ id: z.string() }),
    output: approvalState,
  },
  {
    access: runsOnly,

    async execute({ id }, { caller, read }) {
      const approval = await read((store) => store.approvals.byId(id));
      if (approval === undefined || caller.kind !== "agent" || approval.run !== caller.run) {
        return refuse("not_found", `This run has not asked for approval "${id.slice(0, 64)}".`);
      }
      return ok({ id, state: approval.state, reason: approval.reason });
    },
  },
);
