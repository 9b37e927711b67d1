import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { isStepCount, jsonSchema, streamText, tool, type ToolSet } from "ai";
import { serveProgram } from "../serve-program.ts";
import { MODELS, type Setup } from "../setup.ts";

/** The bare AI SDK, streaming the very request that agent-worker sends. It stores nothing. */
interface SameRequest {
  readonly messages: readonly { readonly role: string; readonly content: string }[];
  readonly tools: readonly {
    readonly function: { readonly name: string; readonly description: string; readonly parameters: object };
  }[];
  readonly max_tokens?: number;
}

let provider: ReturnType<typeof createOpenAICompatible>;
let system = "";
let question = "";
let found = "";
let tools: ToolSet = {};
let maxOutputTokens: number | undefined;
const agents: string[] = [];

await serveProgram({
  async start({ url, sameRequest, agents: count }: Setup) {
    provider = createOpenAICompatible({ name: "bench", baseURL: url, apiKey: "bench", includeUsage: true });
    const same = JSON.parse(sameRequest) as SameRequest;
    const textOf = (role: string): string => same.messages.find((message) => message.role === role)?.content ?? "";
    [system, question, found] = [textOf("system"), textOf("user"), textOf("tool")];
    maxOutputTokens = same.max_tokens;
    tools = Object.fromEntries(
      same.tools.map(({ function: { name, description, parameters } }) => [
        name,
        tool({ description, inputSchema: jsonSchema<object>(parameters), execute: async () => found }),
      ]),
    );
    for (let i = 0; i < count; i += 1) agents.push(`${system}${i}`);
    return [];
  },
  async run({ kind }) {
    await answer(MODELS[kind], question);
  },
  async handOver() {
    let prompt = question;
    while (prompt !== "Done.") prompt = await answer(MODELS.hops, prompt);
  },
  resume: async () => "lost",
  stop: async () => {},
});

async function answer(model: string, prompt: string): Promise<string> {
  const limit = maxOutputTokens === undefined ? {} : { maxOutputTokens };
  const result = streamText({
    model: provider(model),
    system,
    prompt,
    tools,
    stopWhen: isStepCount(20),
    maxRetries: 0,
    ...limit,
  });
  return await result.text;
}
