import { Agent, OpenAIProvider, Runner, setTracingDisabled, tool } from "@openai/agents";
import { z } from "zod";
import { serveProgram } from "../serve-program.ts";
import { LOOK, MODELS, PARTNERS, PASS, QUESTION, SYSTEM, type Setup } from "../setup.ts";

/** The OpenAI Agents SDK with chat completions and its own hand-offs. It stores nothing. */
setTracingDisabled(true);
const tools = [
  tool({ name: LOOK.name, description: LOOK.description, parameters: z.object({}), execute: async () => LOOK.answer }),
  tool({ name: PASS.name, description: PASS.description, parameters: z.object({}), execute: async () => "" }),
];
const agentFor = (name: string, model: string) => new Agent({ name, instructions: SYSTEM, model, tools });
const agents: Agent[] = [];
let runner: Runner;

await serveProgram({
  async start({ url, agents: count }: Setup) {
    const modelProvider = new OpenAIProvider({ baseURL: url, apiKey: "bench", useResponses: false });
    runner = new Runner({ modelProvider, tracingDisabled: true });
    for (let i = 0; i < count; i += 1) agents.push(agentFor(`a${i + 1}`, MODELS.many));
    return [];
  },
  async run({ kind }) {
    await runner.run(agentFor("solo", MODELS[kind]), QUESTION, { maxTurns: 20 });
  },
  async handOver() {
    const [ping, pong] = PARTNERS.map((name) => agentFor(name, MODELS.hops));
    if (ping === undefined || pong === undefined) throw new Error("two agents are needed");
    ping.handoffs = [pong];
    pong.handoffs = [ping];
    await runner.run(ping, QUESTION, { maxTurns: 100 });
  },
  resume: async () => "lost",
  stop: async () => {},
});
