import type { RecordedEvent } from "../../domain/event.ts";
import { systemCaller } from "../../kernel/caller.ts";
import { createSerialQueue } from "../../kernel/serial-queue.ts";
import { fireRules } from "../../operations/rules/fire-rules.ts";
import type { BackgroundParts } from "./background-worker.ts";

const EVALUATED: ReadonlySet<RecordedEvent["type"]> = new Set(["message.posted", "document.written", "ballot.closed"]);
const LOOK_AGAIN_MS = 5_000;
/** Rules are also evaluated after this many events of spaces without rules, so that the backlog stays small. */
const MAX_UNEVALUATED = 2_000;

/**
 * Evaluates rules on committed events. Without rules, an event costs one lookup in a set. The position up to which
 * rules were evaluated is stored, so the start also evaluates the events that a crash left out.
 */
export function startRuleRunner(parts: BackgroundParts): AsyncDisposable {
  const { system, events, log, store, holds, services, clock } = parts;
  const closing = new AbortController();
  const queue = createSerialQueue((error) => log.error("rules could not look at what happened", { error }));
  const spacesWithRules = new Set<string>();
  /** Spaces with events that rules have not seen: what they will do there belongs to the work. */
  const held = new Map<string, Disposable>();
  let unevaluated = 0;
  let closed = false;

  const findSpaces = async (): Promise<void> => {
    const rules = await store.read((reads) => reads.rules.active());
    spacesWithRules.clear();
    for (const { space } of rules) spacesWithRules.add(space);
  };
  const fire = async (): Promise<void> => {
    unevaluated = 0;
    const seen = [...held.values()];
    held.clear();
    try {
      if (!closed) await system.propose(systemCaller, fireRules, {});
    } finally {
      for (const each of seen) each[Symbol.dispose]();
    }
  };
  const fireIn = (space: string): void => {
    if (!held.has(space)) held.set(space, holds.hold(space));
    queue.add("fire", fire);
  };
  /** Rules of a workspace that was opened again also act on what happened before they were found. */
  const findSpacesOf = (opened: string): void => {
    const holding = holds.hold(opened);
    queue
      .run(async () => {
        await findSpaces();
        if (spacesWithRules.has(opened)) fireIn(opened);
      })
      .catch((error: unknown) => log.error("the rules of a workspace could not be found", { error }))
      .finally(() => holding[Symbol.dispose]());
  };
  const observing = events.observe((published) => {
    for (const event of published) {
      if (event.type === "rule.added") spacesWithRules.add(event.space);
      else if (event.type === "workspace.opened") findSpacesOf(event.space);
      else if (event.type === "rule.removed") queue.add("find spaces", findSpaces);
      else if (event.type === "workspace.closed") spacesWithRules.delete(event.space);
      else if (EVALUATED.has(event.type) && spacesWithRules.size > 0 && "space" in event) {
        unevaluated += 1;
        if (spacesWithRules.has(event.space)) fireIn(event.space);
        else if (unevaluated >= MAX_UNEVALUATED) queue.add("fire", fire);
      }
    }
  });
  queue.add("find spaces", findSpaces);
  queue.add("catch up", async () => {
    if (spacesWithRules.size > 0) await fire();
  });

  /** Other nodes add rules, and may have ended before theirs were evaluated. */
  const lookAtOthers = async (): Promise<void> => {
    for (;;) {
      await clock.sleep(LOOK_AGAIN_MS, closing.signal);
      queue.add("find spaces", findSpaces);
      if (services.node.isLead()) queue.add("catch up", async () => (spacesWithRules.size > 0 ? fire() : undefined));
    }
  };
  if (!services.node.alone) lookAtOthers().catch(() => {});

  return {
    async [Symbol.asyncDispose]() {
      observing[Symbol.dispose]();
      closing.abort();
      closed = true;
      await queue.idle();
    },
  };
}
