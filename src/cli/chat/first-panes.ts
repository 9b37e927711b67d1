import type { Client } from "../../client/client.ts";
import { parseTarget, targetSpace } from "../../domain/message/target.ts";
import { formatSpace } from "../../domain/message/space.ts";
import { Refused } from "../refused.ts";
import { spaceOfAgent } from "./model/submit.ts";

const MOST = 9;

/**
 * Returns the spaces to open first: those that are named, otherwise every open workspace and every agent, the first of
 * them shown. A named workspace may be finished: it can be read. Throws when a name is none.
 */
export async function firstSpaces(client: Client, named: readonly string[]): Promise<readonly string[]> {
  const [listed, open] = await Promise.all([
    client.call("list-agents", {}),
    client.call("list-workspaces", { state: "open" }),
  ]);
  if (!listed.ok) throw new Refused(listed.error);
  const workspaces = open.ok ? open.value.workspaces.map(({ space }) => space) : [];
  const agents = [...listed.value.agents, ...listed.value.workflowAgents].map(({ name }) => name);
  const known = [...workspaces, ...agents.map(spaceOfAgent)];
  if (named.length === 0) return [...new Set(known)].slice(0, MOST);
  return Promise.all(named.map((name) => namedSpace(client, name, known)));
}

async function namedSpace(client: Client, name: string, known: readonly string[]): Promise<string> {
  const target = parseTarget(name);
  if (!target.ok) throw new Refused(target.error);
  const space = formatSpace(targetSpace(target.value));
  if (known.includes(space)) return space;
  if (name.startsWith("@")) {
    const shown = await client.call("show-workspace", { target: name });
    if (shown.ok) return shown.value.space;
    throw new Refused(shown.error);
  }
  // A file with a mistake, or no agent: the daemon says which.
  const shown = await client.call("show-agent", { name });
  if (shown.ok) return space;
  throw new Refused(shown.error);
}
