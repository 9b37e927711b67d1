import type { MemorySettings, Soul } from "../../domain/agent/definition.ts";
import type { Lane } from "../../domain/delivery/lane.ts";
import type { ImageType } from "../../domain/message/image.ts";
import type { MessageKind } from "../../domain/message/message.ts";
import type { MemoryEntry, MemoryListing, TodoItem } from "../../ports/personal-context.ts";
import type { SummaryRecord } from "../../ports/store/derived/summary.ts";
import type { PromptPart } from "./prompt-receipt.ts";

/** Everything a prompt is made of. `assemblePrompt` reads nothing else. */
export interface PromptInput {
  /** The agent's name in the space. */
  readonly agent: string;
  readonly systemPrompt: string;
  readonly soul?: Soul;
  readonly memorySettings?: MemorySettings;
  readonly place: WorkspacePlace | DirectPlace;
  /** The project's agent that owns the personal context; its name may differ from `agent`. */
  readonly owner: string | null;
  /** Null for agents that have no personal context: inline and ephemeral ones. */
  readonly personal: PersonalInput | null;
  readonly skills: readonly SkillEntry[];
  /** The `AGENTS.md` of the project that is nearest to the agent's working directory. */
  readonly guidance?: { readonly path: string; readonly text: string };
  /** Memories that the guard's model chose for this prompt, the most important first. They come before all others. */
  readonly chosenMemories?: readonly MemoryEntry[];
  /** Names of the run's tools, in their fixed order. */
  readonly tools: readonly string[];
  /** The deliveries of the run, oldest first. */
  readonly inbox: readonly InboxItem[];
  /** The images that the messages of the inbox name. */
  readonly images?: readonly PromptImage[];
  /** What could not be read. */
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
  /** In the order of joining, the agent itself included. */
  readonly team: readonly { readonly agent: string; readonly role: string | null }[];
  readonly documents: DocumentsInput | null;
  /** The last messages of the channel, oldest first. */
  readonly recent: readonly PromptMessage[];
  readonly earlier?: EarlierMessages;
}

export interface DirectPlace {
  readonly kind: "direct";
  /** The end of the conversation, oldest first. */
  readonly recent: readonly PromptMessage[];
  readonly earlier?: EarlierMessages;
}

/** What is known about the messages of a place that are not in `recent`, or that may not fit. */
export interface EarlierMessages {
  /** What the numbers of the summaries are: sequence numbers, or times in milliseconds. */
  readonly by: "seq" | "time";
  /** How many messages the space has, those of `recent` included; null when that is not known. */
  readonly total: number | null;
  /** There are messages before `recent`. */
  readonly more: boolean;
  /** Oldest first. They begin with the space and may reach into `recent`. */
  readonly summaries: readonly MessageSummary[];
}

/** A summary of consecutive messages. */
export type MessageSummary = Pick<SummaryRecord, "from" | "to" | "messages" | "text" | "model" | "failure" | "senders">;

export interface PersonalInput {
  readonly memory: MemoryListing;
  readonly todos: readonly TodoItem[];
}

export interface PromptProblem {
  /** The part that is incomplete because of it. */
  readonly part: PromptPart;
  readonly problem: string;
}

export interface DocumentsInput {
  /** The only agent that may write; null when every agent may. While `electing`, no agent may. */
  readonly owner: string | null;
  readonly electing: boolean;
  readonly files: readonly { readonly file: string; readonly bytes: number }[];
  /** The beginning of the default document; null when there is none. */
  readonly main: DocumentBeginning | null;
  /** Beginnings of other documents that the guard's model chose for this prompt. */
  readonly chosen?: readonly DocumentBeginning[];
}

export interface DocumentBeginning {
  readonly file: string;
  readonly beginning: string;
  /** Of the whole document. */
  readonly characters: number;
}

/** A skill the agent may use. The prompt contains its description; the agent reads the rest when it needs it. */
export interface SkillEntry {
  readonly name: string;
  /** Null for an imported skill: its author is not the person, and the system text holds nothing of strangers. */
  readonly description: string | null;
  /** How the agent reads it: a path, or a tool call. */
  readonly location: string;
}

/** A message of the store or of a conversation file. Entries of a file have no `id` and no `seq`. */
export interface PromptMessage {
  readonly id: string | null;
  readonly seq: number | null;
  readonly from: string;
  /** Whose words it is, when not the sender's. */
  readonly onBehalfOf?: string | null;
  readonly to: string | null;
  readonly kind: MessageKind;
  readonly body: string;
  readonly resource: string | null;
  /** Null when a person wrote an invalid time into a conversation file. */
  readonly at: number | null;
}

/** An image that a message of the inbox names. `hidden`: why the model is not shown it; null when it is. */
export interface PromptImage {
  readonly resource: string;
  readonly type: ImageType;
  readonly bytes: number;
  readonly hidden: string | null;
}

export interface InboxItem {
  readonly delivery: string;
  readonly lane: Lane;
  /** How many attempts to answer it have failed. */
  readonly attempts: number;
  readonly message: PromptMessage;
}
