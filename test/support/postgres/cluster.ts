import { startCommandedDaemon, type CommandedDaemon } from "../daemon/commanded-daemon.ts";
import { definedAgent } from "../team/defined-agent.ts";
import type { TestServer } from "./server.ts";

/** Daemons with homes and clones of the project of their own, on one schema of a server. */
export interface TestCluster extends AsyncDisposable {
  readonly url: string;
  readonly nodes: readonly CommandedDaemon[];
  /** A further node. */
  add(name: string): Promise<CommandedDaemon>;
}

export async function startCluster(
  server: TestServer,
  names: readonly string[],
  files: Readonly<Record<string, string>>,
): Promise<TestCluster> {
  const url = server.freshUrl();
  const schema = new URL(url).searchParams.get("schema") ?? "";
  const nodes: CommandedDaemon[] = [];
  const add = async (name: string): Promise<CommandedDaemon> => {
    const node = await startCommandedDaemon({
      files: { ...files, "moniro.yaml": `store: { url: $DATABASE_URL, schema: ${schema} }\n` },
      env: { DATABASE_URL: url.replace(/\?.*/, ""), AGENT_WORKER_NODE: name },
    });
    nodes.push(node);
    return node;
  };
  for (const name of names) await add(name);
  return {
    url,
    nodes,
    add,
    async [Symbol.asyncDispose]() {
      for (const node of nodes) await node[Symbol.asyncDispose]();
    },
  };
}

/** Agents that answer after some steps of `stepMs` each. */
export function slowTeam(names: readonly string[], steps: number, stepMs: number): Record<string, string> {
  const delays = Array.from({ length: steps }, () => `{ delay: ${stepMs}ms }`).join(", ");
  return {
    "scripts/slow.yaml": `- repeat: true\n  steps: [${delays}, { say: "answer to {{message}}" }]\n`,
    ...Object.fromEntries(names.map((name) => [`.agents/${name}.yaml`, definedAgent(name, "slow")])),
  };
}
