import { createInterface } from "node:readline";
import type { ToWorker } from "../../src/engines/sdk/protocol.ts";
import { createOutbox } from "../../src/engines/sdk/worker/outbox.ts";

/** A worker program whose model says as many pieces as the number in the prompt, as fast as they are taken. */
const outbox = createOutbox(process.stdout);
const usage = { inputTokens: 1, outputTokens: 1, cachedInputTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0 };

async function step(session: number, prompt: string): Promise<void> {
  // The last one: the prompt tells what was said before, too.
  const pieces = Number([...prompt.matchAll(/say (\d+) pieces/g)].at(-1)?.[1] ?? 0);
  for (let i = 0; i < pieces; i += 1) {
    outbox.send({ type: "event", session, event: { type: "text", text: ` word${i}` } });
    // As many at once as a fast model sends in one packet.
    if (i % 4 === 3) await new Promise((resolve) => void setImmediate(resolve));
    await outbox.drained();
  }
  const end = { type: "end", transcript: "[]", finished: true, text: "said", waitsFor: null } as const;
  outbox.send({ type: "end", session, end: { ...end, usage: { ...usage, cost: { basis: "unknown" } } } });
}

createInterface({ input: process.stdin }).on("line", (line) => {
  const message = JSON.parse(line) as ToWorker;
  if (message.type === "step") void step(message.session, message.prompt ?? "");
  if (message.type === "leave") outbox.send({ type: "left", session: message.session });
  if (message.type === "close") process.exit();
});
process.stdin.on("end", () => process.exit());
outbox.send({ type: "ready" });
