import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { DBOS } from "@dbos-inc/dbos-sdk";
import { generateText, type ModelMessage } from "ai";
import { serveProgram } from "../serve-program.ts";
import { LOOK, MODELS, QUESTION, SYSTEM, type Setup } from "../setup.ts";
import { sdkToolShapes } from "./sdk-tools.ts";

/**
 * The AI SDK inside DBOS workflows, on PostgreSQL as it comes: each commit is flushed. Every model call and every tool
 * call is a step, as the integration of DBOS for the AI SDK recommends.
 */
let provider: ReturnType<typeof createOpenAICompatible>;
const agents: object[] = [];

async function ask(model: string, messages: ModelMessage[]) {
  const { text, toolCalls, response } = await generateText({
    model: provider(model),
    system: SYSTEM,
    messages,
    tools: sdkToolShapes,
    maxRetries: 0,
  });
  return {
    text,
    added: response.messages,
    calls: toolCalls.map(({ toolCallId, toolName }) => ({ toolCallId, toolName })),
  };
}

const converse = DBOS.registerWorkflow(
  async (model: string) => {
    const messages: ModelMessage[] = [{ role: "user", content: QUESTION }];
    for (;;) {
      const { text, added, calls } = await DBOS.runStep(() => ask(model, messages), { name: "model" });
      if (calls.length === 0) return text;
      messages.push(...added);
      for (const call of calls) {
        const value = await DBOS.runStep(async () => LOOK.answer, { name: call.toolName });
        messages.push({ role: "tool", content: [{ type: "tool-result", ...call, output: { type: "text", value } }] });
      }
    }
  },
  { name: "converse" },
);

const partners = DBOS.registerWorkflow(
  async () => {
    let text = QUESTION;
    while (text !== "Done.") {
      const content = text;
      const turn = () => ask(MODELS.hops, [{ role: "user", content }]);
      text = (await DBOS.runStep(turn, { name: "turn" })).text;
    }
  },
  { name: "partners" },
);

await serveProgram({
  async start({ url, database, agents: count }: Setup) {
    provider = createOpenAICompatible({ name: "bench", baseURL: url, apiKey: "bench" });
    DBOS.setConfig({
      name: "bench-peers",
      applicationVersion: "1",
      systemDatabaseUrl: database,
      logLevel: "error",
    });
    await DBOS.launch();
    for (let i = 0; i < count; i += 1) agents.push({ name: `a${i + 1}`, system: SYSTEM, tools: { ...sdkToolShapes } });
    return [];
  },
  async run({ kind, id }) {
    await (await DBOS.startWorkflow(converse, { workflowID: id })(MODELS[kind])).getResult();
  },
  async handOver(id) {
    await (await DBOS.startWorkflow(partners, { workflowID: id })()).getResult();
  },
  async resume({ id }) {
    await DBOS.retrieveWorkflow(id).getResult();
    return "resumes";
  },
  stop: () => DBOS.shutdown(),
});
