import type { RecordedEvent } from "../domain/event.ts";
import type { Caller } from "../kernel/caller.ts";
import { callerName } from "../operations/core/access.ts";
import { callerOf, isStillKnown, type McpExchange } from "./mcp-request.ts";
import type { Watched } from "./resource-address.ts";

/**
 * Tells a client that listens what has changed for it. What it is told are hints, the store is the truth: a client that
 * missed one, because it was slow or away, loses nothing by reading again.
 */
export interface Mail {
  /** Something that is watched reads differently now. */
  updated(uri: string, mention: Mention | undefined): void;
  /** Somebody spoke to the caller, by name or directly. */
  mentioned(mention: Mention): void;
  /** Nothing more will come: the run has ended, or the client did not keep up. */
  ended(): void;
}

export type Mention = {
  readonly message: string;
  readonly seq: number;
  readonly space: string;
  readonly from: string;
  readonly content: string;
};

export function watchMail(exchange: McpExchange, watched: () => readonly Watched[], mail: Mail): Disposable {
  const caller = callerOf(exchange.identity);
  const me = callerName(caller);
  const subscription = exchange.project.events.subscribe({ filter: isAboutMail });

  const follow = async (): Promise<void> => {
    for await (const event of subscription) {
      if (!isStillKnown(exchange) || isEndOf(event, caller)) break;
      if (caller.kind === "agent" && "space" in event && event.space !== caller.space) continue;
      const news = await newsOf(exchange, event);
      if (news === undefined) continue;
      const { space, agents, said } = news;
      const mention = agents.includes(me) ? said : undefined;
      for (const each of watched()) {
        if (each.space !== null && each.space !== space) continue;
        if (each.agent === null ? said !== undefined : agents.includes(each.agent)) mail.updated(each.uri, mention);
      }
      if (mention !== undefined) mail.mentioned(mention);
    }
  };
  follow()
    .catch((error: unknown) => exchange.log.error("a client could not be told of its mail", { error }))
    .finally(() => mail.ended());
  return subscription;
}

interface News {
  readonly space: string;
  /** Whose inbox reads differently. */
  readonly agents: readonly string[];
  readonly said?: Mention;
}

async function newsOf({ project }: McpExchange, event: RecordedEvent): Promise<News | undefined> {
  if (event.type !== "message.posted") {
    return "delivery" in event ? { space: event.space, agents: [event.agent] } : undefined;
  }
  const { space } = event;
  const message = await project.store.read((store) => store.messages.byId(event.message));
  if (message === undefined) return undefined;
  const { id, seq, sender, addressee, body, mentions } = message;
  const direct = space.startsWith("@") ? [] : [space];
  return {
    space,
    agents: [...direct, ...(addressee === null ? [] : [addressee]), ...mentions].filter((agent) => agent !== sender),
    said: { message: id, seq, space, from: sender, content: body },
  };
}

const ABOUT_MAIL: ReadonlySet<string> = new Set([
  "message.posted",
  "delivery.acked",
  "delivery.dead",
  "delivery.revived",
  "delivery.dropped",
  "run.ended",
]);

function isEndOf(event: RecordedEvent, caller: Caller): boolean {
  return event.type === "run.ended" && caller.kind === "agent" && event.run === caller.run;
}

function isAboutMail({ type }: RecordedEvent): boolean {
  return ABOUT_MAIL.has(type);
}
