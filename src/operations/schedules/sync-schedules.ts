import { z } from "zod";
import type { ScheduleSpec } from "../../domain/agent/definition.ts";
import { nextFire, parseWakeup } from "../../domain/schedule/schedule.ts";
import { ok } from "../../kernel/result.ts";
import type { ScheduleRecord } from "../../ports/store/schedule.ts";
import type { WorkspaceRecord } from "../../ports/store/workspace.ts";
import { systemOnly } from "../core/access.ts";
import { proposal, type Execute } from "../core/define.ts";
import { DEFINED } from "./schedule-target.ts";

/**
 * Stores the schedules that are written in definitions: that of each agent, and those a workflow sets for its agents
 * while its workspace is open. A schedule that a person set for the same target replaces it until it is cleared. Calling
 * it again changes nothing.
 */
export const syncSchedules = proposal(
  {
    name: "sync-schedules",
    summary: "Take over the schedules that are written in definitions.",
    input: z.object({}),
    output: z.object({ set: z.array(z.string()), cleared: z.array(z.string()) }),
  },
  {
    access: systemOnly,

    async execute(_data, ctx) {
      const workspaces = await ctx.store.workspaces.list({ state: "open" });
      const defined = definedSchedules(ctx, workspaces);
      const stored = new Map((await ctx.store.schedules.list()).map((schedule) => [schedule.target, schedule]));
      const set: string[] = [];
      for (const [target, spec] of defined) {
        if (await storeSchedule(ctx, target, spec, stored.get(target))) set.push(target);
      }
      const cleared: string[] = [];
      for (const { target, createdBy } of stored.values()) {
        if (createdBy !== DEFINED || defined.has(target) || isUnknown(ctx, target, workspaces)) continue;
        await ctx.store.schedules.clear(target);
        await ctx.emit({ type: "schedule.cleared", target });
        cleared.push(target);
      }
      return ok({ set, cleared });
    },
  },
);

function definedSchedules(ctx: Execute, workspaces: readonly WorkspaceRecord[]): Map<string, ScheduleSpec> {
  const { definitions } = ctx.services;
  const defined = new Map<string, ScheduleSpec>();
  for (const { name, schedule } of definitions.agents()) if (schedule !== undefined) defined.set(name, schedule);
  for (const { key, workflow, file } of workspaces) {
    // The schedule in the definition of a project's agent was added above; only that of the workflow counts here.
    for (const [agent, { schedule }] of Object.entries(definitions.workflow(workflow, file)?.agents ?? {})) {
      if (schedule !== undefined) defined.set(agent + key, schedule);
    }
  }
  return defined;
}

/** While the file of an agent or a workflow is broken, nobody knows whether it still has the schedule: it stays. */
function isUnknown({ services }: Execute, target: string, workspaces: readonly WorkspaceRecord[]): boolean {
  const { definitions } = services;
  if (!target.includes("@")) return definitions.broken({ agent: target, workflow: null }) !== undefined;
  const workspace = workspaces.find(({ key }) => target.endsWith(key));
  if (workspace === undefined) return false;
  const { workflow, file, key } = workspace;
  const agent = target.slice(0, -key.length);
  return definitions.broken({ agent, workflow: { name: workflow, file } }) !== undefined;
}

/** Returns false when nothing changed. A wakeup that cannot be parsed was reported with its file, and is ignored. */
async function storeSchedule(
  ctx: Execute,
  target: string,
  spec: ScheduleSpec,
  stored: ScheduleRecord | undefined,
): Promise<boolean> {
  if (stored !== undefined && stored.createdBy !== DEFINED) return false;
  const wakeup = parseWakeup(spec.wakeup, spec.timeZone);
  if (!wakeup.ok) return false;
  const prompt =
    spec.prompt === undefined || spec.prompt.trim() === "" ? null : ctx.services.redact(spec.prompt.trim());
  if (stored?.prompt === prompt && JSON.stringify(stored.wakeup) === JSON.stringify(wakeup.value)) return false;
  const nextAt = nextFire(wakeup.value, { nowMs: ctx.now });
  if (nextAt === null) return false;
  await ctx.store.schedules.set({
    id: ctx.newId("sch"),
    target,
    wakeup: wakeup.value,
    prompt,
    nextAt,
    lastFiredAt: null,
    pausedAt: stored?.pausedAt ?? null,
    createdBy: DEFINED,
    createdAt: ctx.now,
  });
  await ctx.emit({ type: "schedule.set", target });
  return true;
}
