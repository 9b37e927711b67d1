import { UNDECIDED_OWNER } from "../../domain/workspace/owner-election.ts";
import { displayWorkspace } from "../../domain/workspace/workspace.ts";
import type { Refusal } from "../../kernel/refusal.ts";
import type { Result } from "../../kernel/result.ts";
import type { Documents } from "../../ports/documents.ts";
import type { ConversationEntry, PersonalContext } from "../../ports/personal-context.ts";
import type { WorkspaceRecord } from "../../ports/store/workspace.ts";
import type {
  DirectPlace,
  DocumentsInput,
  PersonalInput,
  PromptProblem,
  SaidMessage,
  WorkspacePlace,
} from "./prompt-input.ts";

/** Takes down what could not be read: the prompt goes on without it, and its receipt says so. */
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
  around: Pick<WorkspacePlace, "append" | "team" | "recent"> & { readonly agent: string },
  note: NoteProblem,
): Promise<WorkspacePlace> {
  const { agent, append, team, recent } = around;
  const { channel } = workspace;
  if (channel && !documents.ok) note("documents", documents.error.message);
  return {
    kind: "workspace",
    name: displayWorkspace(workspace),
    channel,
    append,
    team,
    documents: channel && documents.ok ? await readDocuments(documents.value, workspace, note) : null,
    // Without a channel nobody overhears what is said to somebody else.
    recent: channel ? recent : recent.filter(({ from, to }) => from === agent || to === agent),
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

/** The direct messages of an agent, as the store knows them. */
export interface DirectMessages {
  /** The last ones, oldest first. */
  readonly stored: readonly SaidMessage[];
  /** Sequence number of the last one that is in the agent's files. */
  readonly recorded: number;
  /** Those the run is for. */
  readonly asked: readonly SaidMessage[];
}

/**
 * The conversation an agent remembers is the one in its files, so that a person who sets it aside makes it start afresh,
 * and what was said since and is not in them yet. Agents without files have what the store holds.
 */
export async function readDirectPlace(
  personal: PersonalContext | null,
  { stored, recorded, asked }: DirectMessages,
  note: NoteProblem,
): Promise<DirectPlace> {
  if (personal === null) return { kind: "direct", recent: stored };
  const kept = await personal.conversations.recent(CONVERSATION_ENTRIES);
  if (!kept.ok) note("conversation", kept.error.message);
  const later = stored.filter(({ seq }) => seq !== null && seq > recorded);
  const elsewhere = [...asked, ...later];
  const earlier = (kept.ok ? kept.value : [])
    .map(toSaid)
    .filter((entry) => !elsewhere.some((message) => isSame(entry, message)));
  return { kind: "direct", recent: [...earlier, ...later] };
}

const CONVERSATION_ENTRIES = 50;

function toSaid({ day, time, sender, text }: ConversationEntry): SaidMessage {
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

/** What files keep as "\n". */
const LINE_END = /\r\n?|[\v\f\u0085\u2028\u2029]/g;

/** Entries of a file have no ids: the same words of the same sender in the same second are the same message. */
function isSame(entry: SaidMessage, message: SaidMessage): boolean {
  if (entry.at === null || message.at === null || entry.from !== message.from) return false;
  const sameSecond = Math.floor(entry.at / 1000) === Math.floor(message.at / 1000);
  return sameSecond && entry.body.trim() === message.body.replace(LINE_END, "\n").trim();
}
