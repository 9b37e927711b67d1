import * as contract from "../../contract/messages.ts";
import { parseSpace, formatSpace } from "../../domain/message/space.ts";
import { parseTarget, targetSpace, type Target } from "../../domain/message/target.ts";
import type { Caller } from "../../kernel/caller.ts";
import { hintForUnknown } from "../../kernel/closest.ts";
import { refuse, type Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import type { Definitions } from "../../ports/definitions.ts";
import { callerName, everyone } from "../core/access.ts";
import { proposal } from "../core/define.ts";
import { postMessage } from "./post-message.ts";

/** A person sends to any target. An agent speaks where it runs: in its workspace, or to whoever wrote to it. */
export const sendMessage = proposal(contract.sendMessage, {
  access: everyone,
  ballotable: true,

  space(data, caller) {
    const target = resolveTarget(data.to, caller);
    return target.ok ? formatSpace(targetSpace(target.value)) : undefined;
  },

  async prepare(data, ctx) {
    const target = resolveTarget(data.to, ctx.caller);
    if (!target.ok) return target;
    const { definitions } = ctx.services;
    if (!checkRecipient(definitions, target.value).ok) await definitions.refresh();
    return ok(undefined);
  },

  async execute(data, ctx) {
    const target = resolveTarget(data.to, ctx.caller);
    if (!target.ok) return target;
    const recipient = checkRecipient(ctx.services.definitions, target.value);
    if (!recipient.ok) return recipient;
    const { caller } = ctx;
    if (data.lane !== undefined && caller.kind === "agent") {
      return refuse("forbidden", "An agent cannot say how urgent its message is.", { hint: "Leave the lane out." });
    }
    const run = caller.kind === "agent" ? caller.run : null;
    const receipt = await postMessage(ctx, {
      target: target.value,
      sender: callerName(caller),
      kind: "message",
      body: data.message,
      cause: caller.kind === "agent" ? caller.cause : null,
      run,
      lane: data.lane,
      idempotencyKey: data.idempotencyKey,
    });
    if (receipt.ok && run !== null) await ctx.store.runs.markSpoke(run);
    return receipt;
  },
});

/** Direct messages go to agents that exist: a misspelt name must not get an inbox nobody reads. */
function checkRecipient(definitions: Definitions, target: Target): Result<undefined, Refusal> {
  if (target.kind !== "dm" || definitions.agent(target.agent) !== undefined) return ok(undefined);
  const { agent } = target;
  const known = definitions.agents().map(({ name }) => name);
  return refuse("not_found", `There is no agent called "${agent}".`, {
    hint: `${hintForUnknown(agent, known, "agents")} Create it with: agent-worker agent create ${agent}`,
    details: { kind: "agent", name: agent },
  });
}

/** Where the message goes. For an agent a bare name means a colleague in its workspace, and nothing means the channel. */
function resolveTarget(to: string | undefined, caller: Caller): Result<Target, Refusal> {
  if (caller.kind !== "agent") {
    if (to !== undefined) return parseTarget(to);
    return refuse("invalid", "The message has no target.", { hint: "Name an agent, or a workspace with @NAME." });
  }
  const here = parseSpace(caller.space);
  if (!here.ok) return here;
  const home: Target = here.value.kind === "dm" ? here.value : { ...here.value, kind: "channel" };
  if (to === undefined) return ok(home);
  const target = parseTarget(to);
  if (!target.ok) return target;
  if (here.value.kind === "workspace" && target.value.kind === "dm") {
    return ok({ ...here.value, kind: "agent", agent: target.value.agent });
  }
  if (formatSpace(targetSpace(target.value)) === caller.space) return target;
  return refuse("forbidden", `${caller.name} runs in ${caller.space} and cannot send to ${to}.`, {
    hint: "Send to the channel here, or to someone who takes part in it.",
  });
}
