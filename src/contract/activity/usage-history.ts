import { z } from "zod";
import { declareQuery } from "../operation.ts";
import { usageView } from "../usage.ts";

export const listUsageHistory = declareQuery({
  name: "list-usage-history",
  summary: "List what was used on each day, in UTC, by agent, by workflow, by workspace or by model.",
  method: "GET",
  path: "/stats/history",
  input: z.object({
    by: z.enum(["agent", "workflow", "workspace", "model"]).default("agent"),
    target: z.string().optional().describe("alice, @review or alice@review; absent: the whole project."),
    since: z.iso.date().optional().describe("First day to count, in UTC: 2026-01-31. Absent: from the beginning."),
  }),
  output: z.object({
    /**
     * `key`: the agent, the workspace or the model, `unknown` for a model that is not known. A workflow is `@review`, with
     * all its workspaces; what was not in one is `direct messages`.
     */
    days: z.array(z.object({ day: z.string(), key: z.string(), usage: usageView })),
  }),
});
