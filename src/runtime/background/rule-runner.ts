import type { RecordedEvent } from "../../domain/event.ts";
import { system as systemCaller } from "../../kernel/caller.ts";
import type { EventHub } from "../../kernel/event-hub.ts";
import type { Log } from "../../kernel/log.ts";
import type { System } from "../../kernel/system.ts";
import type { ProductTypes } from "../../operations/core/define.ts";
import { fireRules } from "../../operations/rules/fire-rules.ts";
import type { StoreReads } from "../../ports/store/store.ts";

/**
 * Has rules look at what happened, after the commit of what happened. Where there are no rules it costs one look into a
 * set. It remembers nothing that matters: how far rules have looked is kept with them, and the start looks at whatever
 * a crash left out.
 */
export interface RuleRunnerParts {
  readonly system: System<ProductTypes>;
  readonly events: EventHub<RecordedEvent>;
  readonly log: Log;
  readonly read: <T>(work: (store: StoreReads) => Promise<T>) => Promise<T>;
}

const LOOKED_AT: ReadonlySet<RecordedEvent["type"]> = new Set(["message.posted", "document.written", "ballot.closed"]);
/** What happens elsewhere is looked through now and then, so that there is never much to look through at once. */
const ELSEWHERE = 2_000;

export function startRuleRunner({ system, events, log, read }: RuleRunnerParts): AsyncDisposable {
  const spaces = new Set<string>();
  let elsewhere = 0;
  let wanted = false;
  let closed = false;
  let work: Promise<void> = Promise.resolve();

  const findSpaces = async (): Promise<void> => {
    const rules = await read((store) => store.rules.active());
    spaces.clear();
    for (const { space } of rules) spaces.add(space);
  };
  const look = async (): Promise<void> => {
    wanted = false;
    elsewhere = 0;
    if (!closed) await system.propose(systemCaller, fireRules, {});
  };
  const inTurn = (task: () => Promise<void>): void => {
    work = work.then(task).catch((error: unknown) => log.error("rules could not look at what happened", { error }));
  };
  const wantLook = (): void => {
    if (wanted || closed) return;
    wanted = true;
    inTurn(look);
  };

  const observing = events.observe((published) => {
    for (const event of published) {
      if (event.type === "rule.added") spaces.add(event.space);
      else if (event.type === "rule.removed" || event.type === "workspace.opened") inTurn(findSpaces);
      else if (event.type === "workspace.closed") spaces.delete(event.space);
      else if (LOOKED_AT.has(event.type) && spaces.size > 0 && "space" in event) {
        elsewhere += 1;
        if (spaces.has(event.space) || elsewhere >= ELSEWHERE) wantLook();
      }
    }
  });
  inTurn(findSpaces);
  inTurn(async () => {
    if (spaces.size > 0) await look();
  });

  return {
    async [Symbol.asyncDispose]() {
      observing[Symbol.dispose]();
      closed = true;
      await work;
    },
  };
}
