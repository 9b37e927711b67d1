import { createAnthropic } from "@ai-sdk/anthropic";
import { jsonSchema, streamText, tool, type ModelMessage, type ToolSet } from "ai";

/**
 * A child of benches: as many conversations at once as its second argument says, each of as many model calls as its third
 * says, with the bare AI SDK, streamed, and nothing stored. Says how long they took and how much CPU they needed.
 */
const [url = "", runs = "1", steps = "1", name = "my_inbox"] = process.argv.slice(2);
const model = createAnthropic({ baseURL: `${url}/v1`, apiKey: "bench-0123456789" })("fake");

async function converse(): Promise<void> {
  const messages: ModelMessage[] = [{ role: "user", content: "Please look." }];
  for (let step = 0; step < Number(steps); step += 1) {
    const look = tool({ description: "Look.", inputSchema: jsonSchema({ type: "object", properties: {} }) });
    const tools = Object.fromEntries([[name, look]]) as ToolSet;
    const result = streamText({ model, system: "Answer.", messages, tools, maxRetries: 0, maxOutputTokens: 1_000 });
    for await (const _part of result.stream) continue;
    messages.push(...(await result.responseMessages));
    const calls = await result.toolCalls;
    if (calls.length === 0) continue;
    const content = calls.map(({ toolCallId, toolName }) => ({
      type: "tool-result" as const,
      toolCallId,
      toolName,
      output: { type: "text" as const, value: "Nothing." },
    }));
    messages.push({ role: "tool", content });
  }
}

await converse();
const cpu = process.cpuUsage();
const started = performance.now();
await Promise.all(Array.from({ length: Number(runs) }, converse));
const ms = performance.now() - started;
const { user, system } = process.cpuUsage(cpu);
process.stdout.write(JSON.stringify({ ms, cpuMs: (user + system) / 1_000 }));
