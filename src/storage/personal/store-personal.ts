import type { Area } from "../../files/personal/area.ts";
import { createPersonalContext } from "../../files/personal/personal-context.ts";
import { SOUL_FILE } from "../../files/personal/soul.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { Ids } from "../../kernel/ids.ts";
import type { PersonalContext } from "../../ports/personal-context.ts";
import type { Store } from "../../ports/store/store.ts";
import { createStoreArea } from "./store-area.ts";
import { createStoreSoul } from "./store-soul.ts";

export interface StorePersonalOptions {
  readonly store: Pick<Store, "read" | "transact">;
  readonly agent: string;
  readonly clock: Clock;
  readonly newId: Ids;
}

/** The personal context of an agent in the store: the same files, as rows. */
export function createStorePersonal({ store, agent, clock, newId }: StorePersonalOptions): PersonalContext {
  const parts = { store, agent, now: () => clock.now(), newId: () => newId("fil") };
  const area = (...path: readonly string[]): Area => createStoreArea({ ...parts, folder: path.join("/") });
  const soul = createStoreSoul(parts);
  return createPersonalContext({
    area,
    soul,
    clock,
    newId: () => newId("mem"),
    problems: () => {
      const { mistake } = soul.read();
      if (mistake === null) return [];
      const message = `What the agent has learned about itself cannot be used: ${mistake.message}`;
      const hint = "Correct it with: agent-worker context export, then context import --overwrite";
      return [{ file: `${agent}/${SOUL_FILE} (in the store)`, line: mistake.line, message, hint }];
    },
  });
}
