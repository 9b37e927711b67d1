import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { defineProposal, refuse } from "agent-worker";
import { z } from "zod";

const NEEDED = 2;
const run = promisify(execFile);

/** Who approved which change in this workspace. */
type Approvals = Readonly<Record<string, readonly string[]>>;

export const mergeGate = defineProposal({
  name: "merge_gate",
  summary: "Approve a change. It may be merged when two have approved it and the tests are green.",
  input: z.object({ change: z.string().min(1).max(80).describe("Name of the change, such as pr-12.") }),
  output: z.object({ change: z.string(), approvals: z.array(z.string()), open: z.boolean() }),
  access: "everyone",
  prepareTimeoutMs: 120_000,

  // Takes long, so it is outside of the transaction. It may run at the same time for two callers.
  async prepare(_data, { projectDir, signal }) {
    try {
      await run(process.execPath, ["--test", "sum.test.js"], { cwd: projectDir, signal });
      return { green: true };
    } catch (error) {
      if (signal.aborted) throw error;
      return { green: false };
    }
  },

  async execute({ change }, ctx, { green }) {
    if (!green) return refuse("conflict", `The tests of ${change} fail.`, { hint: "Mend them, then approve again." });
    const before = ((await ctx.state.get()) ?? {}) as Approvals;
    const approvals = [...new Set([...(before[change] ?? []), ctx.caller.name])];
    await ctx.state.set({ ...before, [change]: approvals });
    const open = approvals.length >= NEEDED;
    const who = approvals.join(" and ");
    await ctx.post(open ? `${change} may be merged: green, approved by ${who}.` : `${change} is approved by ${who}.`);
    if (open) await ctx.emit("opened", { change });
    return { change, approvals, open };
  },
});
