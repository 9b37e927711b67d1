import * as contract from "../../contract/messages.ts";
import { parseSpace, formatSpace } from "../../domain/message/space.ts";
import { formatTarget, parseTarget, targetSpace, type Target } from "../../domain/message/target.ts";
import { workspaceOf } from "../../domain/workspace/sub-space.ts";
import type { Caller } from "../../kernel/caller.ts";
import { refuse, type Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import type { Definitions } from "../../ports/definitions.ts";
import { hintForUnknownAgent } from "../agents/find-agent.ts";
import { callerName, everyone } from "../core/access.ts";
import { proposal, type Execute, type Read, type Services } from "../core/define.ts";
import { objectionHere, readPlacement, type PlaceableRun } from "../nodes/place-run.ts";
import { definitionUse, findRunAgent, missingText, workflowOf } from "../runs/run-agent.ts";
import { personalProblemsOf } from "../troubles/personal-problems.ts";
import { refuseUnseen } from "../trust/refuse-unseen.ts";
import { unshownImages } from "./unshown-images.ts";
import { postMessage } from "./post-message.ts";

/**
 * A person sends to any target. An agent sends in the space it runs in: in its workspace and those sub-spaces of it in
 * which it takes part, or in its direct messages.
 */
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
    const isKnown = checkRecipient(definitions, target.value).ok;
    if (!isKnown || (ctx.caller.kind === "person" && !(await isCurrent(ctx, target.value))))
      await definitions.refresh();
    return ok(undefined);
  },

  async execute(data, ctx) {
    const target = resolveTarget(data.to, ctx.caller);
    if (!target.ok) return target;
    const recipient = checkRecipient(ctx.services.definitions, target.value);
    if (!recipient.ok) return recipient;
    const { caller } = ctx;
    const member = await checkMember(ctx, target.value);
    if (!member.ok) return member;
    const rests = caller.kind === "person" ? checkTrusted(ctx.services, target.value) : ok(undefined);
    if (!rests.ok) return rests;
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
      awaited: caller.kind === "person" && data.awaitsAnswer,
    });
    if (!receipt.ok) return receipt;
    const spokeHere = caller.kind === "agent" && receipt.value.space === caller.space;
    if (run !== null && spokeHere) await ctx.store.runs.markSpoke(run);
    if (caller.kind !== "person") return receipt;
    const waiting = await waitingRecipients(ctx, receipt.value);
    const blind = await unshownImages(ctx, data.message, receipt.value);
    return ok({ ...receipt.value, warnings: [...receipt.value.warnings, ...waiting, ...blind] });
  },
});

/** An agent writes in another space of its workspace only where it takes part. */
async function checkMember({ caller, store }: Execute, target: Target): Promise<Result<undefined, Refusal>> {
  const space = formatSpace(targetSpace(target));
  if (caller.kind !== "agent" || space === caller.space) return ok(undefined);
  if ((await store.workspaces.member(space, caller.name)) !== undefined) return ok(undefined);
  return refuse(
    "forbidden",
    `${caller.name} does not take part in ${formatTarget({ ...target, kind: "channel" } as Target)}.`,
    {
      hint: "Send to the channel here, or to someone who takes part in it.",
    },
  );
}

/** Whether the files that say who gets the message are as they were last read. */
function isCurrent(ctx: Read, target: Target): Promise<boolean> {
  const agent = target.kind === "channel" ? "" : target.agent;
  const space = formatSpace(targetSpace(target));
  return ctx.read(async (store) => ctx.services.definitions.isCurrent(await definitionUse(store, { agent, space })));
}

/**
 * Refuses a direct message to an agent that does not exist: a misspelt name must not get an inbox. A message to an agent
 * whose file is broken waits until that is mended.
 */
function checkRecipient(definitions: Definitions, target: Target): Result<undefined, Refusal> {
  if (target.kind !== "dm" || definitions.agent(target.agent) !== undefined) return ok(undefined);
  const { agent } = target;
  if (definitions.broken({ agent, workflow: null }) !== undefined) return ok(undefined);
  const names = definitions.agents().map(({ name }) => name);
  return refuse("not_found", `There is no agent called "${agent}".`, {
    hint: hintForUnknownAgent(agent, names),
    details: { kind: "agent", name: agent },
  });
}

/** The message is kept, and in a channel the others go on; the person learns who will not answer yet. */
async function waitingRecipients(ctx: Execute, { space, recipients }: contract.ReceiptView): Promise<string[]> {
  const { definitions, trust } = ctx.services;
  const warnings: string[] = [];
  for (const { agent } of recipients) {
    const found = await findRunAgent(ctx.store, definitions, { agent, space });
    if (found.kind !== "found") warnings.push(`${agent} cannot answer now. ${missingText(found)}`);
    else if (trust.unseenOfAgent(found.agent.definition, workflowOf(space)).length > 0) {
      warnings.push(`${agent} rests until you allow what it can do. See: agent-worker trust`);
    } else if (found.agent.owner !== null) {
      const problems = personalProblemsOf(ctx.services, found.agent.owner);
      warnings.push(...problems.map(({ file, line, message, hint }) => `${file}:${line}: ${message} ${hint}`));
    }
    if (found.kind === "found") warnings.push(...(await missingNode(ctx, { agent, space, ...found.agent })));
  }
  return warnings;
}

/** Other nodes are asked for only when this one may not run the agent, so that most messages cost nothing more. */
async function missingNode(ctx: Execute, { agent, space, definition }: PlaceableRun): Promise<string[]> {
  if ((await objectionHere(ctx, { agent, space, definition })) === null) return [];
  const { problem } = await readPlacement(ctx.store, ctx.services, { agent, space, definition });
  return problem === null ? [] : [problem];
}

/** A person who writes to an agent that rests is told so, instead of waiting for an answer. */
function checkTrusted({ definitions, trust }: Services, target: Target): Result<undefined, Refusal> {
  const definition = target.kind === "dm" ? definitions.agent(target.agent) : undefined;
  const unseen = definition === undefined ? [] : trust.unseenOfAgent(definition, null);
  return unseen.length === 0 ? ok(undefined) : refuseUnseen(definition?.name ?? "It", unseen);
}

/** For an agent, a bare name is a participant of its workspace; without a target it is the space the agent runs in. */
function resolveTarget(to: string | undefined, caller: Caller): Result<Target, Refusal> {
  if (caller.kind !== "agent") {
    if (to !== undefined) return parseTarget(to);
    return refuse("invalid", "The message has no target.", { hint: "Name an agent, or a workspace with @NAME." });
  }
  const runSpace = parseSpace(caller.space);
  if (!runSpace.ok) return runSpace;
  const { value: space } = runSpace;
  if (to === undefined) return ok(space.kind === "dm" ? space : { ...space, kind: "channel" });
  const target = parseTarget(to);
  if (!target.ok) return target;
  if (space.kind === "workspace" && target.value.kind === "dm") {
    return ok({ ...space, kind: "agent", agent: target.value.agent });
  }
  if (workspaceOf(formatSpace(targetSpace(target.value))) === workspaceOf(caller.space)) return target;
  return refuse("forbidden", `${caller.name} runs in ${caller.space} and cannot send to ${to}.`, {
    hint: "Send to the channel here, or to someone who takes part in it.",
  });
}
