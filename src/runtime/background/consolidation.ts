import { guardOf } from "../../domain/guard/guard-of.ts";
import { systemCaller } from "../../kernel/caller.ts";
import { tidyMemory } from "../../operations/memory-changes/tidy-memory.ts";
import type { BackgroundParts } from "./background-worker.ts";

const LOOK_MS = 5 * 60_000;
/** So long an agent must have done nothing. */
const QUIET_MS = 10 * 60_000;
const DAY_MS = 86_400_000;

/**
 * Tidies up the memory of agents that have been quiet for some minutes, at most once a day each. The time of the last one
 * is stored, so a restart changes nothing. `guard: {consolidate: false}` switches it off.
 */
export function startConsolidation(parts: BackgroundParts): AsyncDisposable {
  const { system, services, definitions, events, store, clock, log } = parts;
  const closing = new AbortController();
  const startedAt = clock.now();
  const lastActive = new Map<string, number>();

  const observing = events.observe((published) => {
    for (const event of published) {
      if (event.type === "run.started" || event.type === "run.ended") lastActive.set(event.agent, clock.now());
    }
  });

  const isDue = async (agent: string): Promise<boolean> => {
    const definition = definitions.agent(agent);
    if (definition === undefined || definitions.isEphemeral(agent) || guardOf(definition).consolidate === false)
      return false;
    if (clock.now() - (lastActive.get(agent) ?? startedAt) < QUIET_MS) return false;
    const context = services.personal(agent);
    if (!context.ok || (await context.value.texts.files()).length === 0) return false;
    return clock.now() - (await store.read((reads) => reads.memories.tidiedAt(agent))) >= DAY_MS;
  };
  const tidy = async (agent: string): Promise<void> => {
    if (closing.signal.aborted || !(await isDue(agent))) return;
    const tidied = await system.propose(systemCaller, tidyMemory, { agent });
    if (!tidied.ok) log.warn("a memory could not be tidied up", { agent, reason: tidied.error.message });
    else if (tidied.value.changes.length > 0)
      log.info("a memory was tidied up", { agent, changes: tidied.value.changes.length });
  };
  const look = async (): Promise<void> => {
    for (;;) {
      await clock.sleep(LOOK_MS, closing.signal);
      if (!services.node.isLead()) continue;
      for (const { name } of definitions.agents()) {
        await tidy(name).catch((error: unknown) =>
          log.error("a memory could not be tidied up", { agent: name, error }),
        );
      }
    }
  };
  const looking = look().catch(() => {});

  return {
    async [Symbol.asyncDispose]() {
      observing[Symbol.dispose]();
      closing.abort();
      await looking;
    },
  };
}
