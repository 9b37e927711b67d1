import { PERSON } from "../../domain/message/message.ts";
import { isUntrusted } from "../../domain/recall/untrusted-content.ts";
import type { MemoryTier } from "../../ports/personal-context.ts";
import { messageList, sendersIn } from "../context/message-list.ts";
import { inboxQuery } from "../context/personal-sections.ts";
import type { PromptInput, PromptMessage } from "../context/prompt-input.ts";
import { isSetAside, memoryPromptIndexOf } from "../memory/memory-prompt-index.ts";

/**
 * Where the content in a run comes from. Content is untrusted when it may come from anyone except the person or the
 * agent itself: messages of other agents, notices and kickoffs that may quote agents and commands, documents, files, tool
 * results, and memories, notes and todos made from these. It may manipulate an agent, so whatever the agent remembers or suggests
 * after reading it is marked, and the agent cannot make it visible to others. The mark is stored for the agent and the
 * space, because later messages of the agent in that space may repeat the content.
 */
export interface Provenance {
  /** Senders of the messages in the prompt, in their order, without the agent itself. */
  readonly heard: readonly string[];
  /** True when the run has read untrusted content. */
  readonly outside: boolean;
}

export interface TrackedRun {
  readonly id: string;
  /** The agent that owns the memory. */
  readonly agent: string;
  readonly space: string;
  /** True when it has tools whose results are not tracked here. */
  readonly ownTools: boolean;
}

export interface ProvenanceTracker {
  /** Tracks a run until the returned object is disposed. */
  begin(run: TrackedRun, input: PromptInput, marks: UntrustedMarks): Promise<Disposable>;
  /** Must be called before the run gets untrusted content. Resolves when the mark is stored. */
  markUntrusted(run: string): Promise<void>;
  /** Returns the provenance of a run; a run that is not tracked counts as untrusted. */
  of(run: string | null): Provenance;
}

/** The stored marks: which agents have read untrusted content, and in which space. */
export interface UntrustedMarks {
  has(agent: string, space: string): Promise<boolean>;
  add(agent: string, space: string): Promise<void>;
}

const UNTRACKED: Provenance = { heard: [], outside: true };

export function createProvenanceTracker(): ProvenanceTracker {
  const runs = new Map<string, { readonly run: TrackedRun; readonly marks: UntrustedMarks; provenance: Provenance }>();
  /** Spaces known to be marked, by agent: a mark is never removed. */
  const marked = new Map<string, Set<string>>();

  const isMarked = async (marks: UntrustedMarks, agent: string, space: string): Promise<boolean> => {
    if (marked.get(agent)?.has(space) === true) return true;
    if (!(await marks.has(agent, space))) return false;
    cacheMark(agent, space);
    return true;
  };
  const cacheMark = (agent: string, space: string): void => {
    const spaces = marked.get(agent) ?? new Set();
    marked.set(agent, spaces.add(space));
  };
  const mark = async (marks: UntrustedMarks, agent: string, space: string): Promise<void> => {
    if (marked.get(agent)?.has(space) === true) return;
    await marks.add(agent, space);
    cacheMark(agent, space);
  };

  return {
    async begin(run, input, marks) {
      const { agent, space } = run;
      const wasMarked = await isMarked(marks, agent, space);
      const outside = wasMarked || run.ownTools || containsUntrusted(input);
      if (outside && !wasMarked) await mark(marks, agent, space);
      runs.set(run.id, { run, marks, provenance: { heard: namesIn(input), outside } });
      return { [Symbol.dispose]: () => void runs.delete(run.id) };
    },
    async markUntrusted(id) {
      const tracked = runs.get(id);
      if (tracked === undefined || tracked.provenance.outside) return;
      await mark(tracked.marks, tracked.run.agent, tracked.run.space);
      tracked.provenance = { ...tracked.provenance, outside: true };
    },
    of: (id) => (id === null ? undefined : runs.get(id)?.provenance) ?? UNTRACKED,
  };
}

function namesIn(input: PromptInput): string[] {
  const recent = sendersIn(messageList(input.place.recent));
  const received = input.inbox.map(({ message: { from, onBehalfOf } }) => onBehalfOf ?? from);
  return [...new Set([...summarisedIn(input), ...recent, ...received])].filter((name) => name !== input.agent);
}

function containsUntrusted(input: PromptInput): boolean {
  const { agent, place, personal, memorySettings } = input;
  if (messagesIn(input).some((message) => isUntrustedMessage(message, agent))) return true;
  if (summarisedIn(input).some((sender) => sender !== agent && sender !== PERSON)) return true;
  if (place.kind === "workspace" && place.documents?.main != null) return true;
  if (place.kind === "workspace" && (place.documents?.chosen ?? []).length > 0) return true;
  if (input.chosenMemories?.some(isUntrusted) === true) return true;
  if (bringsBackUntrusted(input)) return true;
  const loaded = (tier: MemoryTier): boolean =>
    tier === "core" || (tier === "working" && memorySettings?.autoLoad !== false);
  if (personal?.todos.some(({ done, outside }) => outside && !done) === true) return true;
  return personal?.memory.entries.some((entry) => loaded(entry.tier) && isUntrusted(entry)) === true;
}

/** Whether the prompt may show a memory that was set aside, because the inbox is about it. */
function bringsBackUntrusted(input: PromptInput): boolean {
  const { personal, memorySettings, now } = input;
  if (personal === null || memorySettings?.autoLoad === false) return false;
  const index = memoryPromptIndexOf(personal.memory);
  if (index.setAsideCount === 0) return false;
  return index.matching(inboxQuery(input), now).some(({ entry }) => isSetAside(entry) && isUntrusted(entry));
}

/** Messages of the system may quote others. The prompt of a schedule does not: a person wrote it. */
export function isUntrustedMessage(
  { from, onBehalfOf, kind }: Pick<PromptMessage, "from" | "onBehalfOf" | "kind">,
  agent: string,
): boolean {
  return kind !== "prompt" && from !== agent && (onBehalfOf ?? from) !== PERSON;
}

/** Whose words are in the summaries of earlier messages. */
function summarisedIn({ place }: PromptInput): readonly string[] {
  return place.earlier?.summaries.flatMap(({ senders }) => senders) ?? [];
}

function messagesIn({ place, inbox }: PromptInput): PromptMessage[] {
  return [...place.recent, ...inbox.map(({ message }) => message)];
}
