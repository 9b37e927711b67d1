import type { RecordedEvent } from "../domain/event.ts";
import { workspaceOf } from "../domain/workspace/sub-space.ts";
import type { Caller } from "../kernel/caller.ts";
import { callerName } from "../operations/core/access.ts";
import type { RunningProject } from "../runtime/running-project.ts";
import { hasExpired, type McpRequest } from "./mcp-request.ts";
import type { Watched } from "./resource-address.ts";

/**
 * Notifies a client of changes of the resources it watches. A client that missed a notification loses nothing: it can
 * read the resource again.
 */
export interface ResourceListener {
  /** A watched resource has changed. */
  updated(uri: string, mention: Mention | undefined): void;
  /** A message mentions the caller, or is addressed to it. */
  mentioned(mention: Mention): void;
  /** A grant changed the tools of the caller. */
  toolsChanged(): void;
  /** The last call: the run has ended, or the client was too slow. */
  ended(): void;
}

export type Mention = {
  readonly message: string;
  readonly seq: number;
  readonly space: string;
  readonly from: string;
  readonly content: string;
};

export function watchResources(
  context: McpRequest,
  watched: () => readonly Watched[],
  listener: ResourceListener,
): Disposable {
  const { caller, project } = context;
  const name = callerName(caller);
  const subscription = project.events.subscribe({ filter: ({ type }) => RESOURCE_EVENTS.has(type) });

  const follow = async (): Promise<void> => {
    for await (const event of subscription) {
      if (hasExpired(context) || isEndOf(event, caller)) break;
      if (event.type === "grant.changed") {
        if (caller.kind === "agent" && isGrantOf(event, caller)) listener.toolsChanged();
        continue;
      }
      if (caller.kind === "agent" && "space" in event && event.space !== caller.space) continue;
      const change = await changeBy(event, project);
      if (change === undefined) continue;
      const { space, agents, message } = change;
      const mention = agents.includes(name) ? message : undefined;
      for (const each of watched()) {
        if (each.space !== null && each.space !== space) continue;
        if (each.agent === null ? message !== undefined : agents.includes(each.agent))
          listener.updated(each.uri, mention);
      }
      if (mention !== undefined) listener.mentioned(mention);
    }
  };
  follow()
    .catch((error: unknown) => context.log.error("a client could not be told of its mail", { error }))
    .finally(() => listener.ended());
  return subscription;
}

interface Change {
  readonly space: string;
  /** Agents whose inbox has changed. */
  readonly agents: readonly string[];
  readonly message?: Mention;
}

async function changeBy(event: RecordedEvent, project: RunningProject): Promise<Change | undefined> {
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
    message: { message: id, seq, space, from: sender, content: body },
  };
}

const RESOURCE_EVENTS: ReadonlySet<string> = new Set([
  "message.posted",
  "delivery.acked",
  "delivery.dead",
  "delivery.revived",
  "delivery.dropped",
  "run.ended",
  "grant.changed",
]);

/** What is granted in a workspace holds in its sub-spaces, too. */
function isGrantOf(
  { space, agent }: RecordedEvent & { readonly type: "grant.changed" },
  caller: Caller & { readonly kind: "agent" },
): boolean {
  return space === workspaceOf(caller.space) && agent === caller.name;
}

function isEndOf(event: RecordedEvent, caller: Caller): boolean {
  return event.type === "run.ended" && caller.kind === "agent" && event.run === caller.run;
}
