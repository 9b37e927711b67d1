import type { RecordedEvent } from "../../domain/event.ts";
import { systemCaller } from "../../kernel/caller.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { EventHub } from "../../kernel/event-hub.ts";
import type { Log } from "../../kernel/log.ts";
import type { System } from "../../kernel/system.ts";
import { approveSoul } from "../../operations/souls/approve-soul.ts";
import type { ProductTypes } from "../../operations/core/define.ts";
import { observeSoul } from "../../operations/souls/observe-soul.ts";
import type { Definitions } from "../../ports/definitions.ts";
import type { Store } from "../../ports/store/store.ts";

/**
 * What the guard does about souls by itself: some time after an agent was at work it looks for repeated behaviour, and
 * small changes it observed are applied where the project allows that. It never does so in anybody's way: agents are
 * looked at one after another, long after their runs, and nobody waits for it.
 */
export interface SoulObserverParts {
  readonly system: System<ProductTypes>;
  readonly definitions: Pick<Definitions, "agent" | "isEphemeral" | "settings">;
  readonly events: EventHub<RecordedEvent>;
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly pauseMs?: number;
}

const PAUSE_MS = 60_000;
/** More of them wait for the next look. */
const AGENTS_AT_ONCE = 20;

export function startSoulObserver(parts: SoulObserverParts): AsyncDisposable {
  const { system, definitions, events, store, clock, log, pauseMs = PAUSE_MS } = parts;
  const closing = new AbortController();
  const active = new Set<string>();
  let watching: Promise<void> | undefined;
  let work: Promise<void> = Promise.resolve();

  const inTurn = (task: () => Promise<void>): Promise<void> => {
    work = work.then(task).catch((error: unknown) => log.error("a soul could not be looked after", { error }));
    return work;
  };

  const observe = async (agent: string): Promise<void> => {
    if (closing.signal.aborted || definitions.agent(agent) === undefined || definitions.isEphemeral(agent)) return;
    const observed = await system.propose(systemCaller, observeSoul, { agent });
    if (!observed.ok) log.warn("a soul could not be observed", { agent, reason: observed.error.message });
  };
  const watch = async (): Promise<void> => {
    while (active.size > 0 && !closing.signal.aborted) {
      await clock.sleep(pauseMs, closing.signal).catch(() => {});
      if (closing.signal.aborted) return;
      const next = [...active].slice(0, AGENTS_AT_ONCE);
      for (const agent of next) active.delete(agent);
      if (!definitions.settings().guard.soul.observe) continue;
      await inTurn(async () => {
        for (const agent of next) await observe(agent);
      });
    }
  };

  /** Refused for whatever is not small: the operation decides, and this only asks. */
  const applyIfSmall = async (id: string): Promise<void> => {
    if (closing.signal.aborted || definitions.settings().guard.soul.apply !== "small") return;
    const applied = await system.propose(systemCaller, approveSoul, { id });
    if (applied.ok) log.info("a soul learned something small", { agent: applied.value.agent, proposal: id });
  };

  const observing = events.observe((published) => {
    for (const event of published) {
      if (event.type === "soul.proposed") void inTurn(() => applyIfSmall(event.proposal));
      if (event.type !== "run.ended") continue;
      active.add(event.agent);
      watching ??= watch().finally(() => (watching = undefined));
    }
  });
  void inTurn(async () => {
    if (definitions.settings().guard.soul.apply !== "small") return;
    const open = await store.read((reads) => reads.soulProposals.list({ state: "open", limit: 200 }));
    for (const { id, source } of open) if (source === "observation") await applyIfSmall(id);
  });

  return {
    async [Symbol.asyncDispose]() {
      observing[Symbol.dispose]();
      closing.abort();
      await watching;
      await work;
    },
  };
}
