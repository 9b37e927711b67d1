import type { RecordedEvent } from "../domain/event.ts";
import type { EventHub } from "../kernel/event-hub.ts";
import type { System } from "../kernel/system.ts";
import type { ProductTypes, Services } from "../operations/core/define.ts";
import type { Definitions } from "../ports/definitions.ts";
import type { Store } from "../ports/store/store.ts";
import type { ConversationFiles } from "./conversation-files.ts";

/** A project whose definitions and store are open. Operations can be called; no loop runs. */
export interface OpenProject {
  /** Real path of the project folder, which identifies the project. */
  readonly dir: string;
  readonly definitions: Definitions;
  readonly system: System<ProductTypes>;
  readonly services: Services;
  readonly store: Store;
  readonly events: EventHub<RecordedEvent>;
  /** Mailboxes with new work. Published before the commit: until then only transactions see the work. */
  readonly wakes: EventHub<string>;
  /** Memories that a search of their agent found; `entries` are ids, or keys. */
  readonly recalled: EventHub<{ readonly agent: string; readonly entries: readonly string[] }>;
  readonly conversations: ConversationFiles;
  /**
   * Nobody trusted the project: people can read it, and nothing else happens. Its store is a copy, proposals are refused,
   * and nothing is written to its folder.
   */
  readonly atRest: boolean;
  /** Aborted when the project is about to be closed. */
  readonly closing: AbortSignal;
}
