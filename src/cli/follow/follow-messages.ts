import type { Client } from "../../client/client.ts";
import type { MessageView } from "../../contract/messages.ts";
import { systemClock } from "../../kernel/clock.ts";
import { Refused } from "../refused.ts";
import { watchSpace } from "./watch-space.ts";

const PAGE = 500;

interface Start {
  readonly target: string;
  /** Sequence number of the last message that was shown. */
  readonly since: number;
  readonly find?: string | undefined;
}

/** Yields the later messages of a space as they arrive, until the signal. */
export async function* followMessages(client: Client, start: Start, signal: AbortSignal): AsyncGenerator<MessageView> {
  const { target, find } = start;
  let { since } = start;
  for await (const _ of watchSpace(client, spaceOf(target), systemClock, signal)) {
    for (let full = true; full;) {
      const page = await client.call("peek-channel", { target, since, limit: PAGE, find });
      if (!page.ok) throw new Refused(page.error);
      const { messages } = page.value;
      yield* messages;
      since = messages.at(-1)?.seq ?? since;
      full = messages.length === PAGE;
    }
  }
}

/** Returns the space of a target as events name it: `@review` and `alice@review` are `@review:main`. */
function spaceOf(target: string): string {
  const at = target.indexOf("@");
  if (at === -1) return target;
  const workspace = target.slice(at + 1);
  if (/^global(:main)?$/i.test(workspace)) return target.slice(0, at);
  return `@${workspace.includes(":") ? workspace : `${workspace}:main`}`;
}
