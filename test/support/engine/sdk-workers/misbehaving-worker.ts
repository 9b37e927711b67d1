import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type { FromWorker, SessionMessage, ToWorker } from "../../../../src/engines/sdk/protocol.ts";

/** A worker program that does to its engine what the prompt of the step says. */
function write(message: FromWorker): void {
  process.stdout.write(`${JSON.stringify(message)}\n`);
}

let session = 0;
function say(message: SessionMessage): void {
  write({ ...message, session });
}

function finish(): void {
  const usage = { inputTokens: 0, outputTokens: 0, cachedInputTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0 };
  say({
    type: "end",
    end: {
      type: "end",
      transcript: "[]",
      finished: true,
      text: "answered",
      waitsFor: null,
      usage: { ...usage, cost: { basis: "unknown" } },
    },
  });
}

function flood(stream: NodeJS.WriteStream, text: string): void {
  const more = (): void => {
    while (stream.write(text)) continue;
    stream.once("drain", more);
  };
  more();
}

const kept: number[][] = [];
const deeds: Readonly<Record<string, () => void>> = {
  "allocates without end": () => {
    for (;;) kept.push(Array.from({ length: 100_000 }, (_, index) => index + kept.length));
  },
  "is killed by a segmentation fault": () => process.kill(process.pid, "SIGSEGV"),
  "exits 0 without a result": () => process.exit(0),
  "writes without end": () =>
    flood(
      process.stdout,
      `${JSON.stringify({ type: "event", session, event: { type: "text", text: "x".repeat(60_000) } })}\n`,
    ),
  "writes one line without end": () => flood(process.stdout, "x".repeat(60_000)),
  "writes to stderr without end": () => flood(process.stderr, "x".repeat(60_000)),
  "writes nonsense": () => process.stdout.write("Segmentation fault? No, just a library that likes to talk.\n"),
  "says nothing": () => {},
  "leaves a grandchild": () => {
    const { pid } = spawn("sleep", ["600"], { stdio: "inherit" });
    say({ type: "event", event: { type: "text", text: String(pid) } });
    finish();
  },
  "says its pid": () => {
    say({ type: "event", event: { type: "text", text: String(process.pid) } });
    finish();
  },
  answers: () => finish(),
  "reacts and says nothing": () => say({ type: "phase", phase: "headers" }),
  blocks: () => {
    for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_000);
  },
};

createInterface({ input: process.stdin }).on("line", (line) => {
  const message = JSON.parse(line) as ToWorker;
  if (!("session" in message)) return;
  session = message.session;
  if (message.type === "open") say({ type: "opened" });
  if (message.type === "leave") say({ type: "left" });
  if (message.type === "step") deeds[message.prompt ?? ""]?.();
});
write({ type: "ready" });
