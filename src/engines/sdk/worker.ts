import { Console } from "node:console";
import type { ToolOutcome, ToolSpec } from "../../ports/tools.ts";
import { createLineSplitter } from "../shared/line-splitter.ts";
import type { ModelTarget, SessionSetup, ToWorker } from "./protocol.ts";
import { embedTexts } from "./worker/embed-texts.ts";
import { reportOf } from "./worker/failure-report.ts";
import { importProvider, loadEmbeddingModel, loadModel } from "./worker/load-model.ts";
import type { McpTools } from "./worker/mcp-tools.ts";
import { createObservedFetch } from "./worker/observed-fetch.ts";
import { createOutbox } from "./worker/outbox.ts";
import { runStep, type StepIo, type WorkerSession } from "./worker/run-step.ts";
import { readTranscript } from "./worker/transcript.ts";

/**
 * The program of a worker process: one session at a time, controlled over stdin. When stdin closes it kills its process
 * group, so that nothing is left behind when the daemon is killed.
 */
const MAX_REQUEST = 256 * 1024 * 1024;

// Stdout is for the protocol only, also when a package logs.
globalThis.console = new Console(process.stderr, process.stderr);
Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });

const outbox = createOutbox(process.stdout);
const enter: StepIo["enter"] = (phase) => outbox.send({ type: "phase", phase });
const fetch = createObservedFetch(enter);

let session: WorkerSession | undefined;
let mcp: McpTools | undefined;
let requests = 0;
const awaited = new Map<number, (outcome: ToolOutcome) => void>();

const io: StepIo = {
  enter,
  alive: outbox.alive,
  emit: (event) => {
    outbox.send({ type: "event", event });
    return outbox.drained();
  },
  callTool: (call) => {
    if (mcp?.has(call.tool) === true) return mcp.call(call);
    requests += 1;
    const { promise, resolve } = Promise.withResolvers<ToolOutcome>();
    awaited.set(requests, resolve);
    outbox.send({ type: "tool", request: requests, call });
    return promise;
  },
};

async function open(setup: SessionSetup): Promise<void> {
  session = undefined;
  const messages = readTranscript(setup.transcript);
  const model = loadModel(setup.model, fetch);
  const tools = [...setup.tools];
  if (Object.keys(setup.mcpServers).length > 0) {
    enter("mcp");
    const { openMcpTools } = await import("./worker/mcp-tools.ts");
    mcp = await openMcpTools(setup, (message) => outbox.send({ type: "warning", message }));
    tools.push(...mcp.specs);
  }
  const { system, maxOutputTokens, unlistedTools = [] } = setup;
  session = { model, system, tools, unlistedTools, maxOutputTokens, messages, stored: messages.length };
  outbox.send({ type: "opened" });
}

async function step(prompt: string | null, offered: readonly ToolSpec[] | undefined): Promise<void> {
  if (session === undefined) throw new Error("a step before the session was opened");
  if (offered !== undefined) session = { ...session, tools: [...offered, ...(mcp?.specs ?? [])] };
  outbox.send({ type: "end", end: await runStep(session, prompt, io) });
}

async function embed(model: ModelTarget, texts: readonly string[]): Promise<void> {
  outbox.send(await embedTexts(loadEmbeddingModel(model, fetch), texts));
}

async function close(): Promise<void> {
  await mcp?.[Symbol.asyncDispose]();
  endGroup();
}

function endGroup(): void {
  try {
    process.kill(-process.pid, "SIGKILL");
  } catch {
    process.exit(0);
  }
}

function handle(message: ToWorker): void {
  const failed = (error: unknown): void => outbox.send({ type: "failed", report: reportOf(error) });
  switch (message.type) {
    case "open":
      open(message.setup).catch(failed);
      break;
    case "step":
      step(message.prompt, message.tools).catch(failed);
      break;
    case "embed":
      embed(message.model, message.texts).catch(failed);
      break;
    case "tool-outcome":
      awaited.get(message.request)?.(message.outcome);
      awaited.delete(message.request);
      break;
    case "close":
      void close();
      break;
    case "warm":
      for (const module of message.modules) importProvider(module);
      break;
    default:
      throw new Error("not a request");
  }
}

const lines = createLineSplitter(MAX_REQUEST, (line) => handle(JSON.parse(line) as ToWorker));
process.stdin.on("data", (chunk: Buffer) => lines.push(chunk));
process.stdin.on("end", endGroup);
process.stdout.on("error", endGroup);
outbox.send({ type: "ready" });
