import { z } from "zod";
import { memoryEntryView, tierView, visibilityView } from "../contract/personal-context.ts";
import { ok } from "../kernel/result.ts";
import { callerName, everyone } from "./access.ts";
import { proposal } from "./define.ts";
import { checkTier, memoryPermit } from "./memory-permit.ts";
import { personalAgent, personalText } from "./personal-input.ts";
import { personalOwner } from "./personal-owner.ts";
import { toMemoryEntryView } from "./personal-view.ts";

/** Remembers under a key, in place of what was there. Who wrote it is the caller, whatever the request says. */
export const setMemory = proposal({
  name: "set-memory",
  summary: "Remember something under a key, replacing what was there.",
  input: z.object({
    agent: personalAgent,
    key: z.string().min(1).describe("A short name on one line, such as review-style"),
    value: z.union([personalText.min(1, "there is nothing to remember"), z.number(), z.boolean()]),
    tier: tierView.optional().describe("working unless said otherwise; core is for persons to set"),
    visibility: visibilityView.optional().describe("private unless said otherwise"),
  }),
  output: z.object({ agent: z.string(), entry: memoryEntryView }),
  access: everyone,

  async prepare(data, ctx) {
    const { caller, facilities } = ctx;
    const allowed = checkTier(caller, data.tier);
    if (!allowed.ok) return allowed;
    const owner = await personalOwner(ctx, data.agent);
    if (!owner.ok) return owner;
    const { agent, context } = owner.value;
    const key = facilities.redact(data.key);
    const stored = await context.memory.set(key, redactValue(facilities.redact, key, data.value), {
      source: caller.kind === "agent" ? agent : callerName(caller),
      permit: memoryPermit(caller),
      ...(data.tier === undefined ? {} : { tier: data.tier }),
      ...(data.visibility === undefined ? {} : { visibility: data.visibility }),
    });
    return stored.ok ? ok({ agent, entry: stored.value }) : stored;
  },

  async execute(_data, ctx, { agent, entry }) {
    await ctx.emit({ type: "memory.stored", agent, key: entry.key });
    return ok({ agent, entry: toMemoryEntryView(entry) });
  },
});

/** A value is judged together with its key: what is called a password is one, whatever it looks like. */
function redactValue<V extends string | number | boolean>(redact: (text: string) => string, key: string, value: V) {
  if (typeof value !== "string") return value;
  const prefix = `${key}: `;
  const line = redact(prefix + value);
  return line.startsWith(prefix) ? line.slice(prefix.length) : redact(value);
}
