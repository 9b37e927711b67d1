import type { ToolOutcome } from "../../../ports/tools.ts";
import type { ModelTarget, SessionMessage, SessionRequest, SessionSetup } from "../protocol.ts";
import { embedTexts } from "./embed-texts.ts";
import { reportOf } from "./failure-report.ts";
import { loadEmbeddingModel, loadModel } from "./load-model.ts";
import type { McpTools } from "./mcp-tools.ts";
import { observeRequests } from "./observed-fetch.ts";
import type { Outbox } from "./outbox.ts";
import { promptMessage } from "./prompt-images.ts";
import { runStep, takeResults, type ConversationState, type StepIo } from "./run-step.ts";
import { readTranscript } from "./transcript.ts";

/** One of the sessions of this process. Sessions know nothing of each other. */
export interface WorkerSession extends AsyncDisposable {
  handle(request: SessionRequest): void;
}

/** Made once: an error is expensive, and nobody reads it. */
const LEFT = new Error("The session was left.");

type StepRequest = SessionRequest & { readonly type: "step" };

export function createWorkerSession(
  say: (message: SessionMessage) => void,
  {
    sayLater,
    alive,
    drained,
  }: {
    readonly sayLater: (message: SessionMessage) => void;
    readonly alive: () => void;
    readonly drained: Outbox["drained"];
  },
): WorkerSession {
  const left = new AbortController();
  const { signal } = left;
  const awaited = new Map<number, (outcome: ToolOutcome) => void>();
  let conversation: ConversationState | undefined;
  let mcp: McpTools | undefined;
  let requests = 0;
  let flowing: PromiseWithResolvers<void> | undefined;

  const tell = (message: SessionMessage): void => {
    if (!signal.aborted) say(message);
  };
  const enter: StepIo["enter"] = (phase) => {
    if (!signal.aborted) sayLater({ type: "phase", phase });
  };
  const io: StepIo = {
    signal,
    enter,
    alive,
    emit: async (event) => {
      tell({ type: "event", event });
      await drained();
      await flowing?.promise;
    },
    warn: (message) => tell({ type: "warning", message }),
    isOfEngine: (tool) => mcp?.has(tool) !== true,
    callTool: (call) => {
      if (mcp?.has(call.tool) === true) return mcp.call(call);
      requests += 1;
      const { promise, resolve } = Promise.withResolvers<ToolOutcome>();
      awaited.set(requests, resolve);
      tell({ type: "tool", request: requests, call });
      return promise;
    },
  };

  const open = async (setup: SessionSetup): Promise<void> => {
    const messages = readTranscript(setup.transcript);
    const model = loadModel(setup.model);
    const tools = [...setup.tools];
    if (Object.keys(setup.mcpServers).length > 0) {
      enter("mcp");
      const { openMcpTools } = await import("./mcp-tools.ts");
      mcp = await openMcpTools(setup, (message) => tell({ type: "warning", message }));
      tools.push(...mcp.specs);
    }
    const { system, maxOutputTokens, unlistedTools = [], images = {} } = setup;
    conversation = { model, system, tools, unlistedTools, maxOutputTokens, images, messages, stored: messages.length };
  };

  const step = async ({ prompt, images = [], tools: offered, results = [] }: StepRequest): Promise<void> => {
    if (conversation === undefined) throw new Error("a step before the session was opened");
    if (offered !== undefined) conversation = { ...conversation, tools: [...offered, ...(mcp?.specs ?? [])] };
    if (results.length > 0) takeResults(conversation, results);
    const added = prompt === null ? null : promptMessage(prompt, images);
    const ended = await runStep(conversation, added, io);
    tell(ended.type === "end" ? { type: "end", end: ended } : ended);
  };

  const embed = async (model: ModelTarget, texts: readonly string[]): Promise<void> =>
    tell(await embedTexts(loadEmbeddingModel(model), texts));

  const attempt = (work: () => Promise<void>): void =>
    void observeRequests({ enter, left: signal }, work).catch((error: unknown) =>
      tell({ type: "failed", report: reportOf(error) }),
    );

  const flow = (paused: boolean): void => {
    flowing?.resolve();
    flowing = paused ? Promise.withResolvers<void>() : undefined;
  };

  const answered = (number: number, outcome: ToolOutcome): void => {
    awaited.get(number)?.(outcome);
    awaited.delete(number);
  };

  return {
    handle(request) {
      switch (request.type) {
        case "open":
          return attempt(() => open(request.setup).then(() => tell({ type: "opened" })));
        case "step":
          return attempt(async () => {
            if (request.setup !== undefined) await open(request.setup);
            await step(request);
          });
        case "embed":
          return attempt(() => embed(request.model, request.texts));
        case "tool-outcome":
          return answered(request.request, request.outcome);
        case "flow":
          return flow(request.paused);
        case "leave":
          left.abort(LEFT);
          flow(false);
          return;
        default:
          throw new Error("not a request");
      }
    },
    [Symbol.asyncDispose]: async () => mcp?.[Symbol.asyncDispose](),
  };
}
