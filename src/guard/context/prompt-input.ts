import type { MemorySettings, Soul } from "../../domain/agent/definition.ts";
import type { Lane } from "../../domain/delivery/lane.ts";
import type { MessageKind } from "../../domain/message/message.ts";
import type { MemoryListing, TodoItem } from "../../ports/personal-context.ts";
import type { PromptPart } from "./prompt-receipt.ts";

/** Everything a prompt is made of, already read. `assemblePrompt` looks at nothing else. */
export interface PromptInput {
  /** How the space knows the agent. */
  readonly agent: string;
  readonly systemPrompt: string;
  readonly soul?: Soul;
  readonly memorySettings?: MemorySettings;
  readonly place: WorkspacePlace | DirectPlace;
  /** Whose personal context it is, by its own name. */
  readonly owner: string | null;
  /** Null for agents that have no personal context: inline and ephemeral ones. */
  readonly personal: PersonalInput | null;
  readonly skills: readonly SkillEntry[];
  /** Names of the team's tools the run is given, in their fixed order. */
  readonly tools: readonly string[];
  /** What the run is for, oldest first. */
  readonly inbox: readonly InboxItem[];
  /** What should have been read and could not be. */
  readonly problems: readonly PromptProblem[];
  readonly now: number;
  /** Tokens. */
  readonly budget: number;
}

export interface WorkspacePlace {
  readonly kind: "workspace";
  /** `review`, or `review:pr-1`. */
  readonly name: string;
  readonly channel: boolean;
  /** What the workflow adds to the agent's prompt. */
  readonly append: string | null;
  /** In the order of joining, the agent itself among them. */
  readonly team: readonly { readonly agent: string; readonly role: string | null }[];
  readonly documents: DocumentsInput | null;
  /** The last messages of the channel, oldest first. */
  readonly recent: readonly SaidMessage[];
}

export interface DirectPlace {
  readonly kind: "direct";
  /** The conversation so far, oldest first. */
  readonly recent: readonly SaidMessage[];
}

export interface PersonalInput {
  readonly memory: MemoryListing;
  readonly todos: readonly TodoItem[];
}

export interface PromptProblem {
  /** The part that lacks something because of it. */
  readonly part: PromptPart;
  readonly problem: string;
}

export interface DocumentsInput {
  /** Who alone may write; null = everyone. */
  readonly owner: string | null;
  readonly electing: boolean;
  readonly files: readonly { readonly file: string; readonly bytes: number }[];
  /** The beginning of the default document; null when there is none. */
  readonly main: { readonly file: string; readonly beginning: string; readonly characters: number } | null;
}

/** A skill the agent may use: what it is for is in the prompt, how it goes is read when it is needed. */
export interface SkillEntry {
  readonly name: string;
  readonly description: string;
  /** How the agent gets at it: a path, or a way to ask for it. */
  readonly location: string;
}

/** A message as the store tells it. Entries of a conversation file have no id and no number. */
export interface SaidMessage {
  readonly id: string | null;
  readonly seq: number | null;
  readonly from: string;
  readonly to: string | null;
  readonly kind: MessageKind;
  readonly body: string;
  readonly resource: string | null;
  /** Null when a person wrote a time into a conversation file that is none. */
  readonly at: number | null;
}

export interface InboxItem {
  readonly delivery: string;
  readonly lane: Lane;
  /** How often answering it has failed. */
  readonly attempts: number;
  readonly message: SaidMessage;
}
