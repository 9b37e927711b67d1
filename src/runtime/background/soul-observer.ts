import { systemCaller } from "../../kernel/caller.ts";
import { createSerialQueue } from "../../kernel/serial-queue.ts";
import { approveSoul } from "../../operations/souls/approve-soul.ts";
import { observeSoul } from "../../operations/souls/observe-soul.ts";
import type { Definitions } from "../../ports/definitions.ts";
import type { BackgroundParts } from "./background-worker.ts";

export interface SoulObserverParts extends Pick<BackgroundParts, "system" | "events" | "store" | "clock" | "log"> {
  readonly definitions: Pick<Definitions, "agent" | "isEphemeral" | "settings">;
  readonly pauseMs?: number;
}

const PAUSE_MS = 60_000;
/** Further agents wait until after the next pause. */
const AGENTS_AT_ONCE = 20;

/**
 * Looks for repeated behaviour of agents some time after their runs, and applies the small changes it proposed where
 * the project allows that. Agents are observed one after another, so that runs are not slowed down.
 */
export function startSoulObserver(parts: SoulObserverParts): AsyncDisposable {
  const { system, definitions, events, store, clock, log, pauseMs = PAUSE_MS } = parts;
  const closing = new AbortController();
  const active = new Set<string>();
  let watching: Promise<void> | undefined;
  const queue = createSerialQueue((error) => log.error("a soul could not be looked after", { error }));

  const observe = async (agent: string): Promise<void> => {
    if (closing.signal.aborted || definitions.agent(agent) === undefined || definitions.isEphemeral(agent)) return;
    const observed = await system.propose(systemCaller, observeSoul, { agent });
    if (!observed.ok) log.warn("a soul could not be observed", { agent, reason: observed.error.message });
  };
  const watch = async (): Promise<void> => {
    while (active.size > 0) {
      await clock.sleep(pauseMs, closing.signal).catch(() => {});
      if (closing.signal.aborted) return;
      const batch = [...active].slice(0, AGENTS_AT_ONCE);
      for (const agent of batch) active.delete(agent);
      if (!definitions.settings().guard.soul.observe) continue;
      for (const agent of batch) queue.add(agent, () => observe(agent));
      await queue.idle();
    }
  };

  /** The operation refuses a proposal that is not small. */
  const applyIfSmall = async (id: string): Promise<void> => {
    if (closing.signal.aborted || definitions.settings().guard.soul.apply !== "small") return;
    const applied = await system.propose(systemCaller, approveSoul, { id });
    if (applied.ok) log.info("a soul learned something small", { agent: applied.value.agent, proposal: id });
  };

  const observing = events.observe((published) => {
    for (const event of published) {
      if (event.type === "soul.proposed") queue.add(event.proposal, () => applyIfSmall(event.proposal));
      if (event.type !== "run.ended") continue;
      active.add(event.agent);
      watching ??= watch().finally(() => (watching = undefined));
    }
  });
  queue.add("open proposals", async () => {
    if (definitions.settings().guard.soul.apply !== "small") return;
    const open = await store.read((reads) => reads.soulProposals.list({ state: "open", limit: 200 }));
    for (const { id, source } of open) if (source === "observation") await applyIfSmall(id);
  });

  return {
    async [Symbol.asyncDispose]() {
      observing[Symbol.dispose]();
      closing.abort();
      await watching;
      await queue.idle();
    },
  };
}
