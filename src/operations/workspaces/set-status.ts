import { z } from "zod";
import { refuse } from "../../kernel/refusal.ts";
import { ok } from "../../kernel/result.ts";
import { members } from "../core/access.ts";
import { proposal } from "../core/define.ts";

const MAX_STATUS_CHARS = 200;

/** One line each: what is shown beside a name must not look like anything else. */
const statusLine = z
  .string()
  .max(MAX_STATUS_CHARS)
  .transform((text) => text.replace(/\s+/gu, " ").trim());

/** What an agent says about itself, for its colleagues and the person who watches. It changes nothing else. */
export const setStatus = proposal({
  name: "set-status",
  summary: "Say what you are working on and how it is going; the others see it in the list of members.",
  input: z.object({
    task: statusLine.nullable().optional().describe("What you are doing now; null when it is done."),
    state: statusLine.nullable().optional().describe('How it is going, for example "working", "blocked", "done".'),
  }),
  output: z.object({ task: z.string().nullable(), state: z.string().nullable() }),
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
    const status = { task: said(data.task, me.task, redact), mood: said(data.state, me.mood, redact) };
    await ctx.store.workspaces.setStatus(me.space, me.agent, status);
    await ctx.emit({ type: "status.set", space: me.space, agent: me.agent });
    return ok({ task: status.task, state: status.mood });
  },
});

/** Nothing said keeps what was said before; an empty word takes it back. */
function said(text: string | null | undefined, before: string | null, redact: (text: string) => string): string | null {
  if (text === undefined) return before;
  return text === null || text === "" ? null : redact(text);
}
