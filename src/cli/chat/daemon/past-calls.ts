import type { Client } from "../../../client/client.ts";
import type { RunCallsView } from "../../../contract/activity/run-calls.ts";
import type { MessageView } from "../../../contract/messages.ts";

/** Reads the tool calls that belong to messages of a space, from the newest run to the oldest. */
export interface PastCallReader {
  /** Returns those since the oldest of the messages that were not returned yet. `again`: from the newest run on. */
  since(space: string, messages: readonly MessageView[], again?: boolean): Promise<readonly RunCallsView[]>;
}

const PAGE = 100;

export function readPastCalls(client: Client): PastCallReader {
  /** Where the next page of a space begins; null: there is none. */
  const next = new Map<string, string | null>();
  /** Runs that were read and are older than every message so far. */
  const waiting = new Map<string, readonly RunCallsView[]>();
  return {
    async since(space, messages, again = false) {
      const [oldest] = messages;
      if (oldest === undefined) return [];
      if (again) next.delete(space);
      const found = again ? [] : [...(waiting.get(space) ?? [])];
      const isOlder = ({ startedAt }: RunCallsView): boolean => Date.parse(startedAt) < Date.parse(oldest.at);
      while (next.get(space) !== null && !found.some(isOlder)) {
        const before = next.get(space);
        const page = await client.call("list-calls", {
          target: space,
          limit: PAGE,
          ...(before === undefined || before === null ? {} : { before }),
        });
        if (!page.ok) return [];
        found.push(...page.value.runs);
        next.set(space, page.value.next);
      }
      const spoken = new Set(messages.map(({ run }) => run));
      const belongs = (run: RunCallsView): boolean => !isOlder(run) || spoken.has(run.run);
      waiting.set(
        space,
        found.filter((run) => !belongs(run)),
      );
      return found.filter(belongs);
    },
  };
}
