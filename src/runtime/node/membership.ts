import { beatInterval } from "../../domain/node/lease.ts";
import { liveNodes } from "../../domain/node/node.ts";
import { systemCaller } from "../../kernel/caller.ts";
import type { Clock } from "../../kernel/clock.ts";
import { Fault } from "../../kernel/fault.ts";
import type { Log } from "../../kernel/log.ts";
import { beatNode } from "../../operations/nodes/beat-node.ts";
import { joinNode } from "../../operations/nodes/join-node.ts";
import { leaveNode } from "../../operations/nodes/leave-node.ts";
import type { NodeRecord } from "../../ports/store/cluster/node.ts";
import type { OpenProject } from "../open-project.ts";
import { createPresence, LOOK_AGAIN_MS } from "./presence.ts";

const AFTER_LEASE_MS = 50;

export interface MembershipParts {
  readonly clock: Clock;
  readonly log: Log;
  /** Called when the node lost its place: it must do nothing any more. */
  readonly onLost: () => void;
  /** Called after each beat. `gone`: a node that was there is not any more. */
  readonly onBeat: (gone: boolean) => Promise<void>;
}

/** Joins the nodes of a project. Throws a Fault when another node has its name. */
export async function joinNodes(project: OpenProject): Promise<void> {
  const joined = await project.system.propose(systemCaller, joinNode, { leaseMs: project.services.node.leaseMs });
  if (joined.ok) return;
  const { message, hint = "" } = joined.error;
  throw new Fault("node_name_taken", message, { hint });
}

/** Says again and again that this node is there, and leaves when it is disposed. Alone on its store it says nothing. */
export function startBeats({ system, services, store }: OpenProject, parts: MembershipParts): AsyncDisposable {
  const { clock, log } = parts;
  if (services.node.alone) return { async [Symbol.asyncDispose]() {} };
  const closing = new AbortController();
  const presence = createPresence(store.peers);
  store.peers?.announce(services.node.facts().instance);
  let lost = false;
  let others = new Set<string>();
  const otherNodes = (): NodeRecord[] => {
    const own = services.node.facts().instance;
    return liveNodes(services.node.peers(), services.node.seenAt()).filter(({ instance }) => instance !== own);
  };
  /** Returns whether a node is gone that was there at the last beat. */
  const noteOthers = (): boolean => {
    const live = new Set(liveNodes(services.node.peers(), services.node.seenAt()).map(({ instance }) => instance));
    const gone = [...others].some((instance) => !live.has(instance));
    others = live;
    return gone;
  };

  const { name } = services.node.facts();
  const { leaseMs } = services.node;
  const beatMs = beatInterval(leaseMs);
  let isCutOff = false;
  /** The store was not reached for as long as the lease: others may have taken over what this node is at work on. */
  const noteCutOff = (): void => {
    if (isCutOff) return;
    isCutOff = true;
    const text = `The node "${name}" cannot reach the store: other nodes go on with its runs. It joins again by itself.`;
    services.node.say(text);
    log.warn("this node is cut off: other nodes go on with its runs", { node: name, leaseMs });
  };
  const noteReached = (): void => {
    if (!isCutOff) return;
    isCutOff = false;
    services.node.say(null);
    log.info("this node is there again: what others took over stays with them", { node: name });
  };

  /** Earlier than usual, when the lease of another node ends before: then its runs are taken over at once. */
  const untilNextBeat = (): number => {
    const seenAt = services.node.seenAt();
    const leasesEnd = otherNodes().map((node) => node.beatAt + node.leaseMs - seenAt + AFTER_LEASE_MS);
    return Math.min(
      presence.isUnsure() ? LOOK_AGAIN_MS : beatMs,
      ...leasesEnd.map((ms) => Math.max(AFTER_LEASE_MS, ms)),
    );
  };
  const beat = async (): Promise<void> => {
    const vanished = await presence.findVanished(otherNodes());
    const beaten = await system.propose(systemCaller, beatNode, { vanished });
    noteReached();
    if (beaten.ok) {
      if (beaten.value.runs > 0) log.info("took over what another node had left", { ...beaten.value });
      await parts.onBeat(noteOthers());
      await presence.meet(otherNodes());
      return;
    }
    lost = true;
    services.node.say(beaten.error.message);
    log.error("this node has lost its place", { reason: beaten.error.message });
    parts.onLost();
  };
  const beatOn = async (): Promise<void> => {
    await presence.meet(otherNodes());
    while (!lost) {
      await clock.sleep(untilNextBeat(), closing.signal);
      const answered = new AbortController();
      void clock.sleep(leaseMs - beatMs, answered.signal).then(noteCutOff, () => {});
      await beat().catch((error: unknown) => {
        noteCutOff();
        log.warn("could not say that this node is there", { error });
      });
      answered.abort();
    }
  };
  const beating = beatOn().catch(() => {});

  return {
    async [Symbol.asyncDispose]() {
      closing.abort();
      await beating;
      if (!lost) await system.propose(systemCaller, leaveNode, {});
    },
  };
}
