import { PERSON } from "../../domain/message/message.ts";
import { isUntrusted } from "../../domain/recall/untrusted-content.ts";
import type { MemoryTier } from "../../ports/personal-context.ts";
import type { PromptInput, SaidMessage } from "../context/prompt-input.ts";

/**
 * What a run has heard. Text that neither the person who owns the project nor the agent alone stands for is outside
 * text: messages of other agents, kickoffs and notices, which may quote what commands printed or agents wrote,
 * documents, files, what tools answer, and memories made of it. An agent may be talked into anything by it, so what it
 * remembers or suggests from then on is marked, and no wish of the agent makes it visible to others. That an agent has
 * heard outside text in a space is kept, because its own later words there may repeat it.
 */
export interface Provenance {
  /** Who has spoken, in the order of speaking, without the agent itself. */
  readonly heard: readonly string[];
  readonly outside: boolean;
}

export interface TrackedRun {
  readonly id: string;
  /** The agent whose memory it is. */
  readonly agent: string;
  readonly space: string;
  /** It has tools whose answers do not pass through here. */
  readonly ownTools: boolean;
}

export interface ProvenanceTracker {
  /** From here on `of` knows the run, until it is disposed. */
  begin(run: TrackedRun, given: PromptInput): Promise<Disposable>;
  /** The run is about to be told something from outside: resolves when that is kept. */
  tell(run: string): Promise<void>;
  /** A run nobody knows may have heard anything. */
  of(run: string | null): Provenance;
}

/** Where it is kept that an agent has heard outside text in a space; the space null asks for any. */
export interface ProvenanceRecord {
  has(agent: string, space: string | null): Promise<boolean>;
  add(agent: string, space: string): Promise<void>;
}

const ANYTHING: Provenance = { heard: [], outside: true };

export function createProvenanceTracker(record: ProvenanceRecord): ProvenanceTracker {
  const runs = new Map<string, { readonly run: TrackedRun; tracked: Provenance }>();
  /** Spaces known to be marked: a mark never goes away. */
  const marked = new Map<string, Set<string>>();

  const isMarked = async (agent: string, space: string): Promise<boolean> => {
    if (marked.get(agent)?.has(space) === true) return true;
    if (!(await record.has(agent, space))) return false;
    remember(agent, space);
    return true;
  };
  const remember = (agent: string, space: string): void => {
    const spaces = marked.get(agent) ?? new Set();
    marked.set(agent, spaces.add(space));
  };
  const mark = async (agent: string, space: string): Promise<void> => {
    if (marked.get(agent)?.has(space) === true) return;
    await record.add(agent, space);
    remember(agent, space);
  };

  return {
    async begin(run, given) {
      const { agent, space } = run;
      const before = await isMarked(agent, space);
      const outside = before || run.ownTools || holdsOutside(given) || (await todosMayBe(given, agent));
      if (outside && !before) await mark(agent, space);
      runs.set(run.id, { run, tracked: { heard: heardIn(given), outside } });
      return { [Symbol.dispose]: () => void runs.delete(run.id) };
    },
    async tell(id) {
      const known = runs.get(id);
      if (known === undefined || known.tracked.outside) return;
      await mark(known.run.agent, known.run.space);
      known.tracked = { ...known.tracked, outside: true };
    },
    of: (id) => (id === null ? undefined : runs.get(id)?.tracked) ?? ANYTHING,
  };

  /** Todos do not say where they come from: they are only as sure as everything the agent ever heard. */
  async function todosMayBe({ personal }: PromptInput, agent: string): Promise<boolean> {
    const open = personal?.todos.some(({ done }) => !done) === true;
    return open && ((marked.get(agent)?.size ?? 0) > 0 || (await record.has(agent, null)));
  }
}

function heardIn(input: PromptInput): string[] {
  const names = messagesIn(input).map(({ from }) => from);
  return [...new Set(names)].filter((name) => name !== input.agent);
}

function holdsOutside(input: PromptInput): boolean {
  const { agent, place, personal, memorySettings } = input;
  if (messagesIn(input).some((message) => isFromOutside(message, agent))) return true;
  if (place.kind === "workspace" && place.documents?.main != null) return true;
  const loaded = (tier: MemoryTier): boolean =>
    tier === "core" || (tier === "working" && memorySettings?.autoLoad !== false);
  return personal?.memory.entries.some((entry) => loaded(entry.tier) && isUntrusted(entry)) === true;
}

/** What the system says quotes others, except what a schedule says, which a person wrote. */
function isFromOutside({ from, kind }: SaidMessage, agent: string): boolean {
  if (kind === "prompt") return false;
  return kind === "kickoff" || (from !== PERSON && from !== agent);
}

function messagesIn({ place, inbox }: PromptInput): SaidMessage[] {
  return [...place.recent, ...inbox.map(({ message }) => message)];
}

/** Tools that answer with nothing but what the agent itself says or the system knows. All others tell of outside. */
const TRUSTED_TOOLS: ReadonlySet<string> = new Set([
  "channel_send",
  "my_inbox_ack",
  "my_status_set",
  "no_action",
  "team_doc_write",
  "team_doc_append",
  "team_doc_create",
  "team_doc_suggest",
  "resource_create",
  "proposal_create",
  "proposal_vote",
  "proposal_cancel",
  "memory_store",
  "memory_forget",
  "note_add",
  "todo_add",
  "todo_done",
  "skill_read",
  "soul_suggest",
  "feedback_submit",
]);

export function returnsUntrusted(tool: string): boolean {
  return !TRUSTED_TOOLS.has(tool);
}
