import * as contract from "../../contract/workspaces.ts";
import { refuse } from "../../kernel/refusal.ts";
import { ok } from "../../kernel/result.ts";
import { members } from "../core/access.ts";
import { proposal } from "../core/define.ts";

/** Stores what an agent says about its own work. It is shown to others and changes nothing else. */
export const setStatus = proposal(contract.setStatus, {
  access: members,

  async execute(data, ctx) {
    const { caller } = ctx;
    const me = caller.kind === "agent" ? await ctx.store.workspaces.participant(caller.space, caller.name) : undefined;
    if (me === undefined) {
      return refuse("not_participant", "You do not take part in this workspace any more.", {
        hint: "Finish your turn: a new one starts when you are needed.",
      });
    }
    const { redact } = ctx.services;
    const status = { task: newText(data.task, me.task, redact), mood: newText(data.state, me.mood, redact) };
    await ctx.store.workspaces.setStatus(me.space, me.agent, status);
    await ctx.emit({ type: "status.set", space: me.space, agent: me.agent });
    return ok({ task: status.task, state: status.mood });
  },
});

/** Absent keeps the earlier text; null or an empty text removes it. */
function newText(
  text: string | null | undefined,
  before: string | null,
  redact: (text: string) => string,
): string | null {
  if (text === undefined) return before;
  return text === null || text === "" ? null : redact(text);
}
