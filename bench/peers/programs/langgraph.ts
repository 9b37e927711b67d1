import { join } from "node:path";
import { tool } from "@langchain/core/tools";
import { Command, END, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";
import { SqliteSaver } from "@langchain/langgraph-checkpoint-sqlite";
import { createReactAgent } from "@langchain/langgraph/prebuilt";
import { ChatOpenAI } from "@langchain/openai";
import { z } from "zod";
import { serveProgram } from "../serve-program.ts";
import { LOOK, MODELS, PARTNERS, PASS, QUESTION, SYSTEM, type RunKind, type Setup } from "../setup.ts";

/** LangGraph.js with the SQLite saver and its default durability, which saves while the next step runs. */
const tools = [
  tool(async () => LOOK.answer, { name: LOOK.name, description: LOOK.description, schema: z.object({}) }),
  tool(async () => "", { name: PASS.name, description: PASS.description, schema: z.object({}) }),
];
const KINDS = ["steps", "first", "many", "held"] as const;
const graphs = new Map<string, ReturnType<typeof agentFor>>();
let url = "";
let saver: SqliteSaver;
let partners: ReturnType<typeof partnerGraph>;

await serveProgram({
  async start(setup: Setup) {
    url = setup.url;
    saver = SqliteSaver.fromConnString(join(setup.folder, "langgraph.db"));
    keepStatements();
    for (const kind of KINDS) graphs.set(kind, agentFor(MODELS[kind]));
    for (let i = 0; i < setup.agents; i += 1) graphs.set(`a${i + 1}`, agentFor(MODELS.many));
    partners = partnerGraph();
    return [];
  },
  async run({ kind, id }) {
    await graphOf(kind).invoke({ messages: [{ role: "user", content: QUESTION }] }, thread(id));
  },
  async handOver(id) {
    await partners.invoke({ messages: [{ role: "user", content: QUESTION }] }, thread(id));
  },
  async resume({ kind, id }) {
    await graphOf(kind).invoke(null, thread(id));
    return "resumes by hand";
  },
  stop: async () => {},
});

/**
 * Its driver is compiled for this Node where no binary is found for it, and headers of some releases of Node 24 end the
 * process when a statement is freed. So none is freed; each is also prepared only once, which is faster.
 */
function keepStatements(): void {
  const database = saver["db"];
  const prepare = database.prepare.bind(database);
  const statements = new Map<string, ReturnType<typeof prepare>>();
  database.prepare = ((source: string) => {
    const statement = statements.get(source) ?? prepare(source);
    statements.set(source, statement);
    return statement;
  }) as typeof database.prepare;
  database.pragma = (source: string) => database.exec(`PRAGMA ${source}`);
}

function modelFor(model: string): ChatOpenAI {
  return new ChatOpenAI({ model, apiKey: "bench", maxRetries: 0, configuration: { baseURL: url } });
}

function agentFor(model: string) {
  return createReactAgent({ llm: modelFor(model), tools, prompt: SYSTEM, checkpointer: saver });
}

function graphOf(kind: RunKind) {
  const graph = graphs.get(kind);
  if (graph === undefined) throw new Error(`no graph for ${kind}`);
  return graph;
}

function thread(id: string) {
  return { configurable: { thread_id: id }, recursionLimit: 100 };
}

/** Two nodes that name each other as the next one. */
function partnerGraph() {
  const [ping, pong] = PARTNERS;
  const model = modelFor(MODELS.hops).bindTools(tools);
  const turn = (next: string) => async (state: typeof MessagesAnnotation.State) => {
    const answer = await model.invoke([{ role: "system", content: SYSTEM }, ...state.messages]);
    return new Command({ update: { messages: [answer] }, goto: answer.text === "Done." ? END : next });
  };
  return new StateGraph(MessagesAnnotation)
    .addNode(ping, turn(pong), { ends: [pong, END] })
    .addNode(pong, turn(ping), { ends: [ping, END] })
    .addEdge(START, ping)
    .compile({ checkpointer: saver });
}
