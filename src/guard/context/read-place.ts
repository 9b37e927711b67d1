import { UNDECIDED_OWNER } from "../../domain/workspace/owner-election.ts";
import { displayWorkspace } from "../../domain/workspace/workspace.ts";
import type { Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import type { Documents } from "../../ports/documents.ts";
import type { ConversationEntry, PersonalContext } from "../../ports/personal-context.ts";
import type { WorkspaceRecord } from "../../ports/store/workspace.ts";
import type {
  DirectPlace,
  DocumentsInput,
  EarlierMessages,
  PersonalInput,
  PromptProblem,
  PromptMessage,
  WorkspacePlace,
} from "./prompt-input.ts";
import { tokensOf } from "./read-earlier.ts";

/** Reports a part that could not be read: the prompt is made without it, and the receipt lists the problem. */
export type NoteProblem = (part: PromptProblem["part"], problem: string) => void;

/** Enough of a document for any share of a prompt. */
const BEGINNING_CHARS = 16_000;

export async function readPersonal({ memory, todo }: PersonalContext, note: NoteProblem): Promise<PersonalInput> {
  const [listing, todos] = await Promise.all([memory.list(), todo.list()]);
  for (const { file, message } of listing.problems) note("working memory", `${file}: ${message}`);
  if (!todos.ok) note("todos", todos.error.message);
  return { memory: listing, todos: todos.ok ? todos.value : [] };
}

export async function readWorkspacePlace(
  workspace: WorkspaceRecord,
  documents: Result<Documents, Refusal>,
  other: Pick<WorkspacePlace, "append" | "team" | "recent" | "earlier"> & { readonly agent: string },
  note: NoteProblem,
): Promise<WorkspacePlace> {
  const { agent, append, team, recent, earlier } = other;
  const { channel } = workspace;
  if (channel && !documents.ok) note("documents", documents.error.message);
  return {
    kind: "workspace",
    name: displayWorkspace(workspace),
    channel,
    append,
    team,
    documents: channel && documents.ok ? await readDocuments(documents.value, workspace, note) : null,
    // Without a channel an agent sees only the messages it sent or got, and no summary of the others.
    recent: channel ? recent : recent.filter(({ from, to }) => from === agent || to === agent),
    ...(channel && earlier !== undefined ? { earlier } : {}),
  };
}

async function readDocuments(
  documents: Documents,
  { documentFile, documentOwner }: WorkspaceRecord,
  note: NoteProblem,
): Promise<DocumentsInput> {
  const files = (await documents.list()).map(({ file, bytes }) => ({ file, bytes }));
  const listed = files.some(({ file }) => file === documentFile);
  const main = listed ? await documents.read(documentFile) : undefined;
  if (main?.ok === false) note("documents", main.error.message);
  const electing = documentOwner === UNDECIDED_OWNER;
  return {
    owner: electing ? null : documentOwner,
    electing,
    files,
    main: main?.ok === true ? beginningOf(documentFile, main.value.content) : null,
  };
}

function beginningOf(file: string, content: string): NonNullable<DocumentsInput["main"]> {
  return { file, beginning: content.slice(0, BEGINNING_CHARS), characters: content.length };
}

/** The direct messages of an agent in the store. */
export interface DirectMessages {
  /** The last ones, oldest first. */
  readonly stored: readonly PromptMessage[];
  /** Sequence number of the last message that is in the agent's files. */
  readonly recorded: number;
  /** The messages of the run's deliveries. */
  readonly delivered: readonly PromptMessage[];
  /** What the store knows about earlier ones. */
  readonly earlier: EarlierMessages;
  /** Tokens of the whole prompt. */
  readonly budget: number;
}

/**
 * The conversation is read from the agent's files, so that a person can clear it by archiving them, and completed by the
 * messages that are not in the files yet. For agents without files it is read from the store.
 */
export async function readDirectPlace(
  personal: PersonalContext | null,
  { stored, recorded, delivered, earlier, budget }: DirectMessages,
  note: NoteProblem,
): Promise<DirectPlace> {
  if (personal === null) return { kind: "direct", recent: stored, earlier };
  const entries = await readEntries(personal, budget);
  if (!entries.ok) note("conversation", entries.error.message);
  const later = stored.filter(({ seq }) => seq !== null && seq > recorded);
  const fromStore = [...delivered, ...later];
  const { messages, more } = entries.ok ? entries.value : { messages: [], more: false };
  const inFiles = messages.filter((entry) => !fromStore.some((message) => isSame(entry, message)));
  return {
    kind: "direct",
    recent: [...inFiles, ...later],
    earlier: { by: "time", total: null, more, summaries: earlier.summaries },
  };
}

/** As many of the last entries as may fit into a prompt: a few are read first, because most conversations are short. */
async function readEntries(
  { conversations }: PersonalContext,
  budget: number,
): Promise<Result<{ readonly messages: readonly PromptMessage[]; readonly more: boolean }, Refusal>> {
  for (let limit = FEW_ENTRIES; ; limit *= 4) {
    const entries = await conversations.recent(limit);
    if (!entries.ok) return entries;
    const messages = entries.value.map(toPromptMessage);
    const more = messages.length === limit;
    if (!more || limit >= MOST_ENTRIES || tokensOf(messages) >= budget) return ok({ messages, more });
  }
}

const FEW_ENTRIES = 50;
const MOST_ENTRIES = 800;

function toPromptMessage({ day, time, sender, text }: ConversationEntry): PromptMessage {
  const at = Date.parse(`${day}T${time}Z`);
  return {
    id: null,
    seq: null,
    from: sender,
    to: null,
    kind: "message",
    body: text,
    resource: null,
    at: Number.isNaN(at) ? null : at,
  };
}

/** The line ends that conversation files store as "\n". */
const LINE_END = /\r\n?|[\v\f\u0085\u2028\u2029]/g;

/** Entries of a file have no ids: the same text of the same sender in the same second is the same message. */
function isSame(entry: PromptMessage, message: PromptMessage): boolean {
  if (entry.at === null || message.at === null || entry.from !== message.from) return false;
  const sameSecond = Math.floor(entry.at / 1000) === Math.floor(message.at / 1000);
  return sameSecond && entry.body.trim() === message.body.replace(LINE_END, "\n").trim();
}
