import { LANES, type Lane } from "../../domain/delivery/lane.ts";
import type { LaneCount } from "../../ports/store/delivery.ts";
import type { StoreReads } from "../../ports/store/store.ts";
import type { Read } from "../core/define.ts";

/** The open workspaces and open deliveries of a project's agent. */
export interface AgentActivity {
  /** Keys of the open workspaces it takes part in, sorted. */
  readonly workspaces: readonly string[];
  readonly open: Record<Lane, number>;
}

interface Attachment {
  readonly agent: string;
  readonly space: string;
}

/** Reads once. Returns a function that gives the activity of any agent. */
export async function agentActivity(ctx: Read): Promise<(agent: string) => AgentActivity> {
  const { attachments, counts } = await ctx.read(async (store) => ({
    attachments: await attachmentsIn(store),
    counts: Map.groupBy(await store.deliveries.countOpenByLane(), ({ mailbox }) => mailbox),
  }));
  return (agent) => {
    const ofAgent = attachments.filter((each) => each.agent === agent);
    return {
      workspaces: [...new Set(ofAgent.map(({ space }) => space))].toSorted(),
      open: sumByLane(counts.get(agent) ?? []),
    };
  };
}

async function attachmentsIn(store: StoreReads): Promise<Attachment[]> {
  const attachments: Attachment[] = [];
  for (const { key } of await store.workspaces.list({ state: "open" })) {
    for (const participant of await store.workspaces.roster(key)) {
      const { ref } = participant;
      if (ref !== null) attachments.push({ agent: ref, space: key });
    }
  }
  return attachments;
}

function sumByLane(counts: readonly LaneCount[]): Record<Lane, number> {
  const sum = (lane: Lane): number => counts.reduce((total, each) => total + (each.lane === lane ? each.count : 0), 0);
  const [immediate, normal, background] = LANES.map(sum);
  return { immediate: immediate ?? 0, normal: normal ?? 0, background: background ?? 0 };
}
