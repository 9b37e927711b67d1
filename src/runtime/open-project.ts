import type { AgentDefinition } from "../domain/agent/definition.ts";
import type { RecordedEvent } from "../domain/event.ts";
import type { EventHub } from "../kernel/event-hub.ts";
import type { System } from "../kernel/system.ts";
import type { ProductTypes, Services } from "../operations/core/define.ts";
import type { Definitions } from "../ports/definitions.ts";
import type { Store } from "../ports/store/store.ts";
import type { ConversationFiles } from "./conversation-files.ts";
import type { SpaceHolds } from "./space-holds.ts";

/** The messages of a space that were left out of a prompt. */
export interface OmittedMessages {
  readonly space: string;
  readonly mailbox: string;
  /** The agent as it acts there. */
  readonly definition: AgentDefinition;
  /** The agent whose conversation files hold the direct messages; null for a workspace, or when they are only in the store. */
  readonly filesOf: string | null;
  /** All that are before this: a sequence number, or a time when they are in files. */
  readonly before: number;
}

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
  /** Messages that a prompt had no room for. */
  readonly omitted: EventHub<OmittedMessages>;
  readonly conversations: ConversationFiles;
  readonly holds: SpaceHolds;
  /**
   * Nobody trusted the project: people can read it, and nothing else happens. Its store is a copy, proposals are refused,
   * and nothing is written to its folder.
   */
  readonly atRest: boolean;
  /** Aborted when the project is about to be closed. */
  readonly closing: AbortSignal;
}
