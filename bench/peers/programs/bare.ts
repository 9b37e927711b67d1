import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { generateText, isStepCount } from "ai";
import { serveProgram } from "../serve-program.ts";
import { MODELS, QUESTION, SYSTEM, type Setup } from "../setup.ts";
import { sdkTools } from "./sdk-tools.ts";

/** The bare AI SDK, not streaming: the floor. It stores nothing. */
let provider: ReturnType<typeof createOpenAICompatible>;
const agents: { readonly system: string; readonly tools: typeof sdkTools }[] = [];

await serveProgram({
  async start({ url, agents: count }: Setup) {
    provider = createOpenAICompatible({ name: "bench", baseURL: url, apiKey: "bench" });
    for (let i = 0; i < count; i += 1) agents.push({ system: `${SYSTEM}`, tools: { ...sdkTools } });
    return [];
  },
  async run({ kind }) {
    await generateText({
      model: provider(MODELS[kind]),
      system: SYSTEM,
      prompt: QUESTION,
      tools: sdkTools,
      stopWhen: isStepCount(20),
      maxRetries: 0,
    });
  },
  async handOver() {
    let prompt = QUESTION;
    while (prompt !== "Done.") {
      const model = provider(MODELS.hops);
      prompt = (await generateText({ model, system: SYSTEM, prompt, tools: sdkTools, maxRetries: 0 })).text;
    }
  },
  resume: async () => "lost",
  stop: async () => {},
});
