import type { Client } from "../../client/client.ts";
import type { MessageView } from "../../contract/messages.ts";
import { systemClock } from "../../kernel/clock.ts";
import { Refused } from "../output/refused.ts";
import { spaceOf } from "../arguments/space-of.ts";
import { watchSpace } from "./watch-space.ts";

const PAGE = 500;

interface Place {
  readonly target: string;
  /** Sequence number of the last message that is known already. */
  readonly since: number;
  readonly find?: string | undefined;
}

/** The messages of a space that come after a known one, as they come, until the signal. */
export async function* followMessages(client: Client, place: Place, signal: AbortSignal): AsyncGenerator<MessageView> {
  const { target, find } = place;
  let since = place.since;
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
