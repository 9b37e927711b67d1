import type { Client } from "../../../client/client.ts";
import type { WaitingDecision } from "../model/decision.ts";

const MOST = 100;

/** Everything that waits for the person, oldest first. What cannot be loaded is left out until the next time. */
export async function loadDecisions(client: Client): Promise<readonly WaitingDecision[]> {
  const [approvals, dead, workspaces] = await Promise.all([
    client.call("list-approvals", { limit: MOST }),
    client.call("list-dead-letters", { limit: MOST }),
    client.call("list-workspaces", { state: "open" }),
  ]);
  const spaces = workspaces.ok ? workspaces.value.workspaces.map(({ space }) => space) : [];
  const inSpaces = await Promise.all(
    spaces.map(async (target) => [...(await ballotsIn(client, target)), ...(await suggestionsIn(client, target))]),
  );
  const decisions: { readonly at: string; readonly decision: WaitingDecision }[] = [
    ...(approvals.ok ? approvals.value.approvals : []).map((view) => ({
      at: view.requestedAt,
      decision: { kind: "approval" as const, id: view.id, space: view.space, view },
    })),
    ...inSpaces.flat(),
    ...(dead.ok ? dead.value.deliveries : []).map((view) => ({
      at: view.message.at,
      decision: { kind: "dead" as const, id: view.id, space: view.message.space, view },
    })),
  ];
  return decisions.toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at)).map(({ decision }) => decision);
}

interface Found {
  readonly at: string;
  readonly decision: WaitingDecision;
}

async function ballotsIn(client: Client, target: string): Promise<Found[]> {
  const listed = await client.call("list-ballots", { target, limit: MOST });
  if (!listed.ok) return [];
  return listed.value.ballots
    .filter(({ missing }) => missing.includes("user"))
    .map((view) => ({ at: view.openedAt, decision: { kind: "ballot", id: view.id, space: view.space, view } }));
}

async function suggestionsIn(client: Client, target: string): Promise<Found[]> {
  const listed = await client.call("list-suggestions", { target, limit: MOST });
  if (!listed.ok) return [];
  return Promise.all(
    listed.value.suggestions.map(async (view): Promise<Found> => {
      const document = await client.call("read-document", { target, file: view.file });
      const current = document.ok ? document.value.content : "";
      return { at: view.at, decision: { kind: "suggestion", id: view.id, space: view.space, view, current } };
    }),
  );
}
