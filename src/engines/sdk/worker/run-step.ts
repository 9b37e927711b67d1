import type { LanguageModel, ModelMessage, UserModelMessage } from "ai";
import type { StepEnd } from "../../../ports/engine.ts";
import type { ToolCall, ToolOutcome, ToolSpec } from "../../../ports/tools.ts";
import type { CallsOfAnswer, Phase } from "../protocol.ts";
import { resultsMessage, type CallResult } from "../tool-results.ts";
import { callModel, type ModelAnswer, type ModelListener } from "./call-model.ts";
import type { LoadedImages } from "../image-reference.ts";
import { WorkerFailure } from "./failure-report.ts";
import { hasImages, refusesImages, unseenImage, withImages } from "./prompt-images.ts";
import { NOTHING_USED } from "./read-usage.ts";
import { finalText, openCalls, writeTranscript } from "./transcript.ts";

/** A run in this process. `messages` is the conversation after the last finished step; the first `stored` are stored. */
export interface ConversationState {
  readonly model: Exclude<LanguageModel, string>;
  readonly system: string;
  readonly tools: readonly ToolSpec[];
  readonly unlistedTools: readonly string[];
  readonly maxOutputTokens: number | null;
  readonly images: LoadedImages;
  /** The model refused images: it gets a text in place of each. */
  refusesImages?: boolean;
  messages: readonly ModelMessage[];
  stored: number;
}

/** How a step reports and calls tools. */
export interface StepIo extends ModelListener {
  /** Aborted when nobody waits for the step any more. */
  readonly signal: AbortSignal;
  enter(phase: Phase): void;
  /** For the log of the daemon. */
  warn(message: string): void;
  callTool(call: ToolCall): Promise<ToolOutcome>;
  /** Whether the engine makes the calls of this tool. */
  isOfEngine(tool: string): boolean;
}

/**
 * Executes one step: the calls that waited for an approval, then the model, then its calls, one after the other in
 * order. The first call that needs an approval ends the step; it and those after it stay open in the transcript, and
 * the next step begins with them. Where the engine makes all calls of an answer, the step ends here with them. A step that fails leaves the conversation unchanged, except for results of calls that
 * had waited: those were executed.
 */
export async function runStep(
  session: ConversationState,
  prompt: UserModelMessage | null,
  io: StepIo,
): Promise<StepEnd | CallsOfAnswer> {
  const resumed = await callOpenTools(session.messages, io, { waited: true });
  session.messages = resumed.messages;
  if (resumed.waitsFor !== null)
    return endOf(session, session.messages, { finished: false, waitsFor: resumed.waitsFor });

  const added = prompt === null ? [] : [prompt];
  const messages = [...session.messages, ...added];
  if (messages.length === 0) {
    throw new WorkerFailure({ permanent: true, message: "The run has neither a prompt nor a transcript." });
  }
  const final = finalText(messages);
  if (final !== null) return endOf(session, messages, { finished: true, text: final });

  io.signal.throwIfAborted();
  const { text, calledTools, usage, cut, messages: answer } = await callWithImages(session, messages, io);
  const all = [...messages, ...answer];
  const calls = openCalls(all);
  if (calls.length > 0 && calls.every(({ tool }) => io.isOfEngine(tool))) {
    session.messages = all;
    return { type: "calls", calls, end: endOf(session, all, { finished: false, text, usage }) };
  }
  const called = await callOpenTools(all, io, { waited: false });
  session.messages = called.messages;
  const end = { finished: !calledTools, text, usage, waitsFor: called.waitsFor };
  // After a tool call the model goes on, and what it says then is the answer.
  return endOf(session, called.messages, cut === undefined || calledTools ? end : { ...end, cut });
}

/** A model that takes no images is asked again without them, and is told which it does not see. */
async function callWithImages(
  session: ConversationState,
  messages: readonly ModelMessage[],
  io: StepIo,
): Promise<ModelAnswer> {
  const call = (): Promise<ModelAnswer> =>
    callModel(
      {
        ...session,
        messages: withImages(messages, session.images, session.refusesImages === true ? unseenImage : undefined),
      },
      io,
    );
  try {
    return await call();
  } catch (error) {
    if (session.refusesImages === true || !messages.some(hasImages) || !refusesImages(error)) throw error;
    session.refusesImages = true;
    io.warn("the model takes no images, and is asked again without them");
    return call();
  }
}

async function callOpenTools(messages: readonly ModelMessage[], io: StepIo, { waited }: { readonly waited: boolean }) {
  const calls = openCalls(messages);
  const results: CallResult[] = [];
  let waitsFor: string | null = null;
  if (calls.length > 0) io.enter("tools");
  for (const { id, providerId, tool, args } of calls) {
    io.signal.throwIfAborted();
    const outcome = await io.callTool({ id, tool, args });
    if (outcome.kind === "approval") {
      waitsFor = outcome.approval;
      break;
    }
    const { content, isError } = outcome;
    await io.emit({ type: "tool-result", id, tool, ...(waited ? { args } : {}), content, isError });
    results.push({ providerId, tool, content, isError });
  }
  const answered: ModelMessage[] = results.length === 0 ? [] : [resultsMessage(results)];
  return { messages: [...messages, ...answered], waitsFor };
}

/** Adds the results of the calls with which the last step ended. They are in the transcript already. */
export function takeResults(session: ConversationState, results: readonly CallResult[]): void {
  session.messages = [...session.messages, resultsMessage(results)];
  session.stored = session.messages.length;
}

function endOf(
  session: ConversationState,
  messages: readonly ModelMessage[],
  end: Pick<StepEnd, "finished"> & Partial<Pick<StepEnd, "text" | "cut" | "waitsFor" | "usage">>,
): StepEnd {
  const transcript = writeTranscript(messages.slice(session.stored));
  const continues = session.stored > 0;
  session.stored = messages.length;
  return { type: "end", transcript, continues, text: "", waitsFor: null, usage: NOTHING_USED, ...end };
}
