import { Agent, request } from "node:http";
import type { ToolHost } from "../../../src/ports/tools.ts";
import { REVIEW, type McpRig } from "./mcp-rig.ts";

/** Every so many calls take the way through the library. */
const BY_LIBRARY = 25;
const AT_ONCE = 16;

/** Answers what it was asked, with the name of whom it belongs to, sooner or later. */
export function echoOf(agent: string): ToolHost {
  return {
    list: () => [{ name: "echo", description: "Says it again.", inputSchema: { type: "object" } }],
    async call({ args }) {
      const { n } = args as { n: number };
      for (let turns = n % 4; turns > 0; turns -= 1) await new Promise(setImmediate);
      return { kind: "result", content: `${agent} ${n}`, isError: false, structured: { agent, n } };
    },
  };
}

/** Two clients that number their requests alike call at the same time; answers how many got what was not theirs. */
export async function countCrossed(rig: McpRig, calls: number): Promise<{ made: number; crossed: number }> {
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  const clients = ["alice", "bob"].map((name) => {
    const caller = {
      kind: "agent",
      name,
      space: REVIEW,
      run: null,
      cause: null,
      operations: new Set<string>(),
    } as const;
    return { name, token: rig.open({ caller, tools: echoOf(name) }).token };
  });
  let crossed = 0;
  let made = 0;
  const worker = async (): Promise<void> => {
    while (made < calls) {
      const n = made;
      made += 1;
      const client = clients[n % 2];
      if (client === undefined) return;
      const id = Math.floor(n / 2);
      const answer = await post(rig.url, agent, client.token, id, n);
      if (!answer.includes(`"id":${id}`) || !answer.includes(`"text":"${client.name} ${n}"`)) crossed += 1;
    }
  };
  try {
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
  } finally {
    agent.destroy();
  }
  return { made, crossed };
}

function post(url: string, agent: Agent, token: string, id: number, n: number): Promise<string> {
  const meta = n % BY_LIBRARY === 0 ? { _meta: { "test/unusual": n } } : {};
  const params = { name: "echo", arguments: { n }, ...meta };
  const body = JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params });
  return new Promise((resolve, reject) => {
    const sent = request(url, {
      agent,
      method: "POST",
      headers: {
        authorization: `Bearer ${token}`,
        accept: "application/json, text/event-stream",
        "content-type": "application/json",
        "content-length": Buffer.byteLength(body),
      },
    });
    sent.on("error", reject);
    sent.on("response", (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (chunk: string) => (text += chunk));
      response.on("end", () => resolve(text));
      response.on("error", reject);
    });
    sent.end(body);
  });
}
