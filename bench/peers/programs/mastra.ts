import { join } from "node:path";
import { Agent } from "@mastra/core/agent";
import { createDurableAgent } from "@mastra/core/agent/durable";
import { Mastra } from "@mastra/core/mastra";
import { createTool } from "@mastra/core/tools";
import { LibSQLStore } from "@mastra/libsql";
import { z } from "zod";
import { serveProgram } from "../serve-program.ts";
import { LOOK, MODELS, PARTNERS, PASS, QUESTION, SYSTEM, type RunKind, type Setup } from "../setup.ts";

/** Durable agents of Mastra with its libSQL store in a file, which goes on with runs by itself after a start. */
const tools = {
  [LOOK.name]: createTool({
    id: LOOK.name,
    description: LOOK.description,
    inputSchema: z.object({}),
    execute: async () => LOOK.answer,
  }),
  [PASS.name]: createTool({
    id: PASS.name,
    description: PASS.description,
    inputSchema: z.object({}),
    execute: async () => "",
  }),
};
const KINDS = ["steps", "first", "many", "held"] as const;
const durable = new Map<string, ReturnType<typeof createDurableAgent>>();

await serveProgram({
  async start({ url, folder, agents: count }: Setup) {
    const agentFor = (id: string, model: string): void => {
      const to = { id: `bench/${model}` as const, url, apiKey: "bench" };
      durable.set(
        id,
        createDurableAgent({ agent: new Agent({ id, name: id, instructions: SYSTEM, model: to, tools }) }),
      );
    };
    for (const kind of KINDS) agentFor(kind, MODELS[kind]);
    for (const name of PARTNERS) agentFor(name, MODELS.hops);
    for (let i = 0; i < count; i += 1) agentFor(`a${i + 1}`, MODELS.many);
    const mastra = new Mastra({
      agents: Object.fromEntries(durable),
      storage: new LibSQLStore({ id: "bench", url: `file:${join(folder, "mastra.db")}` }),
      recovery: { durableAgents: "auto" },
      logger: false,
    });
    await mastra.getStorage()?.init();
    return [];
  },
  async run({ kind, id }) {
    await answer(kind, QUESTION, id);
  },
  async handOver(id) {
    let text = QUESTION;
    for (let hop = 0; text !== "Done."; hop += 1) {
      text = await answer(PARTNERS[hop % 2] ?? "ping", text, `${id}-${hop}`);
    }
  },
  // Its server calls this for every agent at its start.
  async resume() {
    const { recovered } = await agentOf("held").recoverActiveRuns();
    const failed = recovered.find(({ status }) => status === "failed");
    if (failed?.error !== undefined) throw failed.error;
    if (recovered.length === 0) throw new Error("no run to go on with was found");
    return "resumes";
  },
  stop: async () => {},
});

async function answer(name: RunKind | (typeof PARTNERS)[number], prompt: string, runId: string): Promise<string> {
  const { output, cleanup } = await agentOf(name).stream(prompt, { runId, maxSteps: 20 });
  try {
    return await output.text;
  } finally {
    cleanup();
  }
}

function agentOf(name: string) {
  const agent = durable.get(name);
  if (agent === undefined) throw new Error(`no agent ${name}`);
  return agent;
}
