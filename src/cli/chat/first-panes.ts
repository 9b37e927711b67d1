import type { Client } from "../../client/client.ts";
import { parseTarget, targetSpace } from "../../domain/message/target.ts";
import { formatSpace } from "../../domain/message/space.ts";
import { Refused } from "../refused.ts";
import { spaceOfAgent } from "./model/submit.ts";

const MOST = 9;

/**
 * Returns the spaces to open first: those that are named, otherwise every open workspace and every agent, the first of
 * them shown. Throws when a name is none.
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
  return named.map((name) => {
    const target = parseTarget(name);
    if (!target.ok) throw new Refused(target.error);
    const space = formatSpace(targetSpace(target.value));
    if (known.includes(space)) return space;
    throw new Refused({
      code: "not_found",
      message: `There is no ${name.startsWith("@") ? `open workspace ${name}` : `agent "${name}"`} here.`,
      hint: name.startsWith("@")
        ? `Start it with: agent-worker start ${name.slice(1)}`
        : `There is ${[...new Set(agents)].join(", ") || "no agent yet: agent-worker agent create NAME"}.`,
    });
  });
}
