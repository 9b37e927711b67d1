import { Console } from "node:console";
import { createLineSplitter } from "../shared/line-splitter.ts";
import type { SessionRequest, ToWorker } from "./protocol.ts";
import { importProvider } from "./worker/load-model.ts";
import { createOutbox } from "./worker/outbox.ts";
import { createWorkerSession, type WorkerSession } from "./worker/session.ts";

/**
 * The program of a worker process: any number of sessions, controlled over stdin. When stdin closes it kills its process
 * group, so that nothing is left behind when the daemon is killed.
 */
const MAX_REQUEST = 256 * 1024 * 1024;

// Stdout is for the protocol only, also when a package logs.
globalThis.console = new Console(process.stderr, process.stderr);
Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });

const outbox = createOutbox(process.stdout);
const sessions = new Map<number, WorkerSession>();

function handle(message: ToWorker): void {
  switch (message.type) {
    case "warm":
      for (const module of message.modules) importProvider(module);
      break;
    case "ping":
      outbox.send({ type: "pong" });
      break;
    case "close":
      void close();
      break;
    default:
      handleSession(message.session, message);
  }
}

function handleSession(number: number, request: SessionRequest): void {
  const session = sessions.get(number) ?? openSession(number);
  session.handle(request);
  if (request.type !== "leave") return;
  sessions.delete(number);
  if (request.soon === true) outbox.sendLater({ type: "left", session: number });
  else outbox.send({ type: "left", session: number });
}

function openSession(number: number): WorkerSession {
  const session = createWorkerSession((message) => outbox.send({ ...message, session: number }), {
    sayLater: (message) => outbox.sendLater({ ...message, session: number }),
    alive: () => outbox.alive(number),
    drained: outbox.drained,
  });
  sessions.set(number, session);
  return session;
}

async function close(): Promise<void> {
  await Promise.all([...sessions.values()].map((session) => session[Symbol.asyncDispose]()));
  endGroup();
}

function endGroup(): void {
  try {
    process.kill(-process.pid, "SIGKILL");
  } catch {
    process.exit(0);
  }
}

const lines = createLineSplitter(MAX_REQUEST, (line) => handle(JSON.parse(line) as ToWorker));
process.stdin.on("data", (chunk: Buffer) => lines.push(chunk));
process.stdin.on("end", endGroup);
process.stdout.on("error", endGroup);
outbox.send({ type: "ready" });
