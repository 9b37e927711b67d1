import { setTimeout as pause } from "node:timers/promises";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { jsonSchema, streamText, tool, type ModelMessage, type ToolSet } from "ai";
import { MIXED_CALLS } from "../support/mixed-calls.ts";

/**
 * A child of benches: conversations with the bare AI SDK, streamed, one begun some milliseconds after the other, with
 * tools that do nothing, and nothing stored. Says the mean time of a conversation, and the CPU of all.
 */
const [url = "", model = "", runs = "1", apartMs = "0"] = process.argv.slice(2);
const provider = createOpenAICompatible({
  name: "bench",
  baseURL: `${url}/bare/v1`,
  apiKey: "bench",
  includeUsage: true,
});
const shape = tool({ description: "Works for the team.", inputSchema: jsonSchema({ type: "object", properties: {} }) });
const tools = Object.fromEntries(MIXED_CALLS.map((call) => [call.tool, shape])) as ToolSet;

async function converse(name: string): Promise<number> {
  const started = performance.now();
  const messages: ModelMessage[] = [{ role: "user", content: "Please look." }];
  for (let finished = false; !finished;) {
    const result = streamText({ model: provider(name), system: "Work.", messages, tools, maxRetries: 0 });
    for await (const _part of result.stream) continue;
    messages.push(...(await result.responseMessages));
    const calls = await result.toolCalls;
    finished = calls.length === 0;
    for (const { toolCallId, toolName } of calls) {
      const output = { type: "text" as const, value: "Done." };
      messages.push({ role: "tool", content: [{ type: "tool-result", toolCallId, toolName, output }] });
    }
  }
  return performance.now() - started;
}

for (let i = 0; i < 20; i += 1) await converse("mixed");
const cpu = process.cpuUsage();
const times = await Promise.all(
  Array.from({ length: Number(runs) }, async (_, i) => {
    await pause(i * Number(apartMs));
    return await converse(model);
  }),
);
const { user, system } = process.cpuUsage(cpu);
const runMs = times.reduce((sum, ms) => sum + ms, 0) / times.length;
process.stdout.write(JSON.stringify({ runMs, cpuMs: (user + system) / 1_000 }));
