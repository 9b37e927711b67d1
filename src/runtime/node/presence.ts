import type { NodeRecord } from "../../ports/store/cluster/node.ts";
import type { StorePeers } from "../../ports/store/cluster/peers.ts";

/** A node that was missed once is looked for again after this time, before it counts as gone. */
export const LOOK_AGAIN_MS = 2_000;

/** A node whose connection to the store is gone, as it was when that was seen. */
export type VanishedNode = Pick<NodeRecord, "instance" | "beatAt">;

/**
 * Finds nodes whose process has ended, before their lease does: the store knows at once that their connection is gone. A
 * node that is cut off or hangs keeps its connection, and loses its runs with its lease. Only a node that was seen
 * connected since this one last connected itself, and then was missed twice, has vanished.
 */
export function createPresence(peers: StorePeers | undefined) {
  let session: unknown;
  const connected = new Set<string>();
  const missed = new Set<string>();
  const ask = async (others: readonly NodeRecord[]): Promise<ReadonlySet<string> | undefined> => {
    const seen = await peers?.connected(others.map(({ instance }) => instance));
    if (seen !== undefined && seen.session !== session) {
      session = seen.session;
      connected.clear();
      missed.clear();
    }
    return seen?.instances;
  };
  return {
    /** Whether a node was missed once. */
    isUnsure: () => missed.size > 0,
    /** Looks for those that were never seen connected. */
    async meet(others: readonly NodeRecord[]): Promise<void> {
      const strangers = others.filter(({ instance }) => !connected.has(instance));
      if (strangers.length === 0) return;
      for (const instance of (await ask(strangers)) ?? []) connected.add(instance);
    },
    async findVanished(others: readonly NodeRecord[]): Promise<VanishedNode[]> {
      const seen = await ask(others);
      if (seen === undefined) return [];
      const vanished = others.filter(({ instance }) => missed.has(instance) && !seen.has(instance));
      missed.clear();
      for (const { instance } of others) {
        if (seen.has(instance)) connected.add(instance);
        else if (connected.has(instance)) missed.add(instance);
      }
      return vanished.map(({ instance, beatAt }) => ({ instance, beatAt }));
    },
  };
}
