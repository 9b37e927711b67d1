import * as contract from "../../contract/activity/retry-run.ts";
import type { AgentDefinition } from "../../domain/agent/definition.ts";
import { checkModel } from "../../domain/agent/named-model.ts";
import { promptOfTranscript } from "../../domain/agent/transcript.ts";
import { stepTotal, type Usage } from "../../domain/budget/usage.ts";
import { PERSON } from "../../domain/message/message.ts";
import { refuse, type Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import type { Definitions } from "../../ports/definitions.ts";
import type { PastStep } from "../../ports/store/run-history.ts";
import { NOT_WAITING, type RunRecord } from "../../ports/store/run.ts";
import { persons } from "../core/access.ts";
import { proposal, type Execute, type Read } from "../core/define.ts";
import { postMessage } from "../messages/post-message.ts";
import { addUsage } from "../runs/record-step.ts";
import { findRunAgent, missingText, workflowOf } from "../runs/run-agent.ts";
import { unknownRun } from "../runs/show-run.ts";
import { refuseUnseen } from "../trust/refuse-unseen.ts";

/** What the new run begins with. */
interface EarlierRun {
  readonly run: RunRecord;
  /** What it was asked: its whole prompt, or else the message it answers. */
  readonly question: string;
  /** The steps that stay, with the transcript after the last of them. None when all are made again. */
  readonly steps: readonly PastStep[];
  readonly transcript: string | null;
  readonly receipt: string | null;
}

/**
 * Asks again in the direct messages of a new agent in memory: nothing of it is in the conversation. The steps that stay
 * are stored as those of a parked run, which the loop resumes like any other. What was asked and answered is on disk,
 * because it was paid for: all sums count it, also when the agent is gone.
 */
export const retryRun = proposal(contract.retryRun, {
  access: persons,

  async prepare({ id, fromStep, model, system }, ctx) {
    const { definitions, trust } = ctx.services;
    await definitions.refresh();
    const earlier = await readEarlier(ctx, id, fromStep);
    if (!earlier.ok) return earlier;
    const { run } = earlier.value;
    const found = await ctx.read((store) => findRunAgent(store, definitions, run));
    if (found.kind !== "found") return refuse("not_found", missingText(found));
    const unseen = trust.unseenOfAgent(found.agent.definition, workflowOf(run.space));
    if (unseen.length > 0) return refuseUnseen(run.agent, unseen);
    const name = await freeName(ctx, definitions, run.agent);
    const definition = changed(found.agent.definition, name, { model, system });
    const usable = checkModel(definition);
    if (!usable.ok) return usable;
    const added = definitions.addEphemeral(definition);
    if (!added.ok) return added;
    trust.acceptAgent(definition, "in-memory");
    return ok({ name: definition.name, earlier: earlier.value, definitions });
  },
  repeatable: true,
  abandon: ({ name, definitions }) => void definitions.removeEphemeral(name),

  async execute(_data, ctx, { name, earlier }) {
    await ctx.store.conversations.begin(name);
    await ctx.emit({ type: "agent.created", agent: name, ephemeral: true });
    const posted = await postMessage(ctx, {
      target: { kind: "dm", agent: name },
      sender: PERSON,
      kind: "message",
      body: earlier.question,
      // Says which run it comes from.
      run: earlier.run.id,
    });
    if (!posted.ok) return posted;
    const { id: message } = posted.value;
    const run = earlier.transcript === null ? null : await parkCopy(ctx, name, message, earlier);
    return ok({ agent: name, message, run });
  },
});

async function readEarlier(ctx: Read, id: string, fromStep: number): Promise<Result<EarlierRun, Refusal>> {
  return ctx.read(async (store) => {
    const run = await store.runs.byId(id);
    if (run === undefined) return unknownRun(id);
    const finished = await store.history.steps(id);
    if (fromStep > finished.length + 1) {
      return refuse("invalid", `The run has ${finished.length} finished steps, so there is no step ${fromStep}.`, {
        hint: `Begin with a step from 1 to ${finished.length + 1}.`,
      });
    }
    const prompt = await store.history.prompt(id);
    const cause = await store.messages.byId(run.cause);
    const question = prompt?.prompt ?? promptIn(prompt?.firstTranscript ?? "") ?? cause?.body;
    const transcript = fromStep === 1 ? null : await store.runs.transcript(id, fromStep - 1);
    const isRemoved = (await store.history.detailsRemovedAt(id)) !== null;
    if (question === undefined || isRemoved || (fromStep > 1 && (transcript === null || transcript === ""))) {
      return refuse("not_found", `What ${id} was given is not stored any more.`, {
        hint: "How long it stays is set by retention in moniro.yaml.",
      });
    }
    const steps = finished.filter(({ number }) => number < fromStep);
    return ok({ run, question, steps, transcript, receipt: await store.history.receipt(id) });
  });
}

function promptIn(transcript: string): string | undefined {
  return transcript === "" ? undefined : (promptOfTranscript(JSON.parse(transcript)) ?? undefined);
}

/** The copy acts when it is asked and at no other time. A chosen model is asked alone. */
function changed(
  { schedule: _schedule, ...definition }: AgentDefinition,
  name: string,
  { model, system }: { readonly model: string | undefined; readonly system: string | undefined },
): AgentDefinition {
  const { fallbackModels: _fallbackModels, ...others } = definition;
  return {
    ...(model === undefined ? definition : { ...others, model }),
    name,
    ...(system === undefined ? {} : { prompt: { system } }),
  };
}

/** No earlier copy had the name: what it answered is still there. */
async function freeName(ctx: Read, definitions: Definitions, agent: string): Promise<string> {
  for (let number = 1; ; number += 1) {
    const name = `${agent}-again-${number}`;
    if (definitions.agent(name) !== undefined) continue;
    const isUsed = await ctx.read(async ({ messages, history }) => {
      const said = await messages.page({ space: name, limit: 1 });
      return said.length > 0 || (await history.list({ mailbox: name, limit: 1 })).length > 0;
    });
    if (!isUsed) return name;
  }
}

/** They were paid for by the run they come from. */
const PAID_BEFORE: Usage = {
  inputTokens: 0,
  outputTokens: 0,
  cachedInputTokens: null,
  cacheWriteTokens: null,
  reasoningTokens: null,
  cost: { basis: "reported", usd: 0 },
};

/** Stores a parked run with the steps that stay. Its delivery belongs to it, so leasing that resumes it. */
async function parkCopy(ctx: Execute, agent: string, message: string, earlier: EarlierRun): Promise<string> {
  const id = ctx.newId("run");
  const run: RunRecord = {
    ...earlier.run,
    ...NOT_WAITING,
    id,
    mailbox: agent,
    agent,
    space: agent,
    state: "parked",
    cause: message,
    root: message,
    spoke: false,
    recoveries: 0,
    startedAt: ctx.now,
    endedAt: null,
    outcome: null,
    detail: null,
    definition: null,
  };
  await ctx.store.runs.open(run);
  for (const { number, calls } of earlier.steps) {
    const isLast = number === earlier.steps.length;
    const transcript = isLast ? (earlier.transcript ?? "[]") : "[]";
    const step = { run: id, number, finishedAt: ctx.now, wallMs: 0, usage: PAID_BEFORE };
    await ctx.store.runs.checkpoint({ ...step, transcript, continues: false });
    await addUsage(ctx, run, stepTotal(step));
    if (calls.length > 0) await ctx.store.history.storeCalls(id, number, calls);
  }
  if (earlier.receipt !== null) await ctx.store.history.storeReceipt(id, earlier.receipt);
  for (const delivery of await ctx.store.deliveries.ofMessage(message)) {
    const { state } = delivery;
    await ctx.store.deliveries.advance(
      delivery.id,
      { status: "pending", leaseOwner: null },
      { state, leaseOwner: null, run: id },
    );
  }
  return id;
}
