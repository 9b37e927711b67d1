import * as contract from "../../contract/memory.ts";
import { formatSpace } from "../../domain/message/space.ts";
import { rerank } from "../../guard/memory/rerank.ts";
import { refuse } from "../../kernel/refusal.ts";
import { ok } from "../../kernel/result.ts";
import type { FoundText } from "../../ports/memory-index.ts";
import { everyone } from "../core/access.ts";
import { query, type Read } from "../core/define.ts";
import { personalOwner } from "../core/personal-owner.ts";

/**
 * Searches memory, notes and conversations by a question in plain language: see `guard/memory/recall.ts`. What the agent
 * itself said in its direct messages is untrusted if it has ever read untrusted content there.
 */
export const searchMemory = query(contract.searchMemory, {
  access: everyone,

  async execute({ agent: named, query: question, tier, limit }, ctx) {
    const owner = await personalOwner(ctx, named);
    if (!owner.ok) return owner;
    const { agent, context } = owner.value;
    if (ctx.caller.kind === "agent" && ctx.services.definitions.agent(agent)?.memory?.search === false) {
      return refuse("forbidden", `${agent} may not search its memory.`, { hint: "What matters is in its prompt." });
    }
    const except = await answeredMessages(ctx);
    const request = { question, limit, now: ctx.now, except, ...(tier === undefined ? {} : { tier }) };
    const byRules = await ctx.services.recall.search(agent, context, request);
    const found = await rerankForCaller(ctx, agent, question, byRules);
    // A search by an agent counts as use; a search by a person does not.
    if (ctx.caller.kind === "agent") {
      const memories = found.filter(({ kind }) => kind === "memory").map(({ id, key }) => id ?? key);
      ctx.services.recalled(agent, memories);
    }
    const space = formatSpace({ kind: "dm", agent });
    const ownWordsOutside = await ctx.read((store) => store.memories.hasSeenUntrusted(agent, space));
    const isOwn = ({ kind, source }: FoundText): boolean => kind === "conversation" && source === agent;
    const entries = found.map((each) => toRecalledView(isOwn(each) ? { ...each, outside: ownWordsOutside } : each));
    return ok({ agent, entries });
  },
});

async function rerankForCaller(
  { caller, services }: Read,
  agent: string,
  question: string,
  found: readonly FoundText[],
): Promise<readonly FoundText[]> {
  const definition = services.definitions.agent(agent);
  if (definition === undefined) return found;
  const [space, run] = caller.kind === "agent" ? [caller.space, caller.run] : ["", null];
  return await rerank(found, question, { definition, mailbox: agent, space, run }, services.askGuardModel);
}

/** Returns the messages that the run of the caller answers: they are the question, not an answer to it. */
async function answeredMessages({ caller, read }: Read): Promise<{ text: string; at: number }[]> {
  if (caller.kind !== "agent" || caller.run === null) return [];
  const { run } = caller;
  return await read(async (store) => {
    const messages: { text: string; at: number }[] = [];
    for (const { message: id } of await store.deliveries.ofRun(run)) {
      const message = await store.messages.byId(id);
      if (message !== undefined) messages.push({ text: asRecorded(message.body), at: message.createdAt });
    }
    return messages;
  });
}

/** Returns the text as conversation files store it. */
function asRecorded(body: string): string {
  return body.replace(/\r\n?|[\v\f\u0085\u2028\u2029]/gu, "\n").trimEnd();
}

function toRecalledView(found: FoundText): contract.RecalledView {
  const { kind, key, text, tier, visibility, source, outside, origin, id, at, file, score, why } = found;
  const time = at === null ? null : new Date(at).toISOString();
  return {
    kind,
    key,
    value: text,
    tier,
    visibility,
    source,
    outside,
    origin: null,
    from: origin,
    created: time,
    updated: time,
    id,
    file: kind === "memory" ? file.slice(file.indexOf("/") + 1) : file,
    replaces: found.replaces ?? null,
    validUntil: found.validUntil ?? null,
    replacedBy: found.replacedBy ?? null,
    score: Math.round(score * 1000) / 1000,
    why,
  };
}
