import type { SystemPrompt } from "../../domain/agent/definition.ts";
import { parseSpace } from "../../domain/message/space.ts";
import { effectiveSoul } from "../../domain/soul/learned-soul.ts";
import { isSubSpace, workspaceOf } from "../../domain/workspace/sub-space.ts";
import { refuse, type Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import type { Documents } from "../../ports/documents.ts";
import type { PersonalContext } from "../../ports/personal-context.ts";
import type { DeliveryRecord } from "../../ports/store/delivery.ts";
import type { RunRecord } from "../../ports/store/run.ts";
import type { StoreReads } from "../../ports/store/store.ts";
import type { WorkspaceRecord } from "../../ports/store/workspace.ts";
import type { CurrentAgent } from "../identity/find-definition.ts";
import { DEFAULT_PROMPT_BUDGET } from "./assemble-prompt.ts";
import type { InboxItem, PromptInput, PromptProblem, PromptMessage, SkillEntry } from "./prompt-input.ts";
import { readImages } from "./read-images.ts";
import { readDirectPlace, readPersonal, readWorkspacePlace, type NoteProblem } from "./read-place.ts";
import { earlierInChannel, readStoredEarlier } from "./read-earlier.ts";
import { toPromptMessage, type RecentMessages } from "./recent-messages.ts";
import type { Teams } from "./teams.ts";

/** Where the parts of a prompt are read from. */
export interface PromptSources {
  /** Reads one consistent state of the store of the run's space. */
  read<T>(work: (store: StoreReads) => Promise<T>): Promise<T>;
  readonly recent: RecentMessages;
  readonly teams: Teams;
  personal(agent: string): Result<PersonalContext, Refusal>;
  documents(workspace: WorkspaceRecord): Result<Documents, Refusal>;
  /** Returns the text of a prompt, which may be in a file of the project. */
  systemPrompt(prompt: SystemPrompt): Result<string, Refusal>;
}

export interface PromptRequest {
  readonly run: Pick<RunRecord, "agent" | "space">;
  /** What the agent of the run is. */
  readonly agent: CurrentAgent;
  readonly deliveries: readonly DeliveryRecord[];
  readonly skills: readonly SkillEntry[];
  readonly guidance?: NonNullable<PromptInput["guidance"]> | null;
  readonly tools: readonly string[];
  /** Whether the engine of the agent shows images to its model. */
  readonly showsImages?: boolean;
  readonly now: number;
  readonly budget?: number;
}

/**
 * Reads everything that a prompt may contain; `assemblePrompt` chooses from it. Refused when the prompt file of the agent
 * cannot be used. A run for a direct message reads nothing of any workspace.
 */
export async function readPromptInput(
  sources: PromptSources,
  request: PromptRequest,
): Promise<Result<PromptInput, Refusal>> {
  const { run, deliveries, skills, tools, now, budget = DEFAULT_PROMPT_BUDGET } = request;
  const { agent } = run;
  const { definition, promptAppend, owner } = request.agent;
  const space = parseSpace(run.space);
  if (!space.ok) return space;
  const problems: PromptProblem[] = [];
  const note: NoteProblem = (part, problem) => void problems.push({ part, problem });
  const personal = openPersonal(sources, owner, note);

  const personalProblems: PromptProblem[] = [];
  const notePersonal: NoteProblem = (part, problem) => void personalProblems.push({ part, problem });
  const isDirect = space.value.kind === "dm";

  const reading = sources.read(async (store) => {
    const [workspace, { seq: recorded }, received] = await Promise.all([
      isDirect ? undefined : readWorkspace(store, run.space),
      isDirect ? store.conversations.recorded(agent) : { seq: 0 },
      readInbox(store, deliveries),
    ]);
    const page = await sources.recent.read(store, run.space, {
      instance: workspace?.instance,
      tokens: budget,
      // What is in the files of the agent is read there.
      ...(isDirect && personal !== null ? { after: recorded } : {}),
    });
    return {
      ...received,
      images: await readImages(store, run.space, received.delivered, request.showsImages === true),
      page,
      stored:
        isDirect && owner !== null
          ? { summaries: await store.summaries.cover(run.space), unsummarised: [] }
          : await readStoredEarlier(store, run.space, page, budget),
      recorded,
      workspace,
      team: workspace === undefined ? [] : await sources.teams.read(store, workspace),
    };
  });
  // Where the personal context is in a store on a server, each of these waits for it.
  const [found, ownPersonal] = await Promise.all([
    reading,
    personal === null ? null : readPersonal(personal, notePersonal),
    personal?.soul.refresh(),
  ]);
  if (space.value.kind === "workspace" && found.workspace === undefined) {
    return refuse("not_found", `There is no workspace ${run.space} any more.`, { hint: "Drop the message." });
  }
  const systemPrompt = sources.systemPrompt(definition.prompt);
  if (!systemPrompt.ok) return systemPrompt;

  const learned = personal?.soul.read();
  if (learned?.problem != null) note("soul", learned.problem);
  const soul = learned === undefined ? definition.soul : effectiveSoul(definition.soul, learned.state.learned);
  const { workspace, page, recorded, inbox, delivered } = found;
  const earlier = earlierInChannel(page, found.stored);
  const recent = page.messages;
  const place =
    workspace === undefined
      ? await readDirectPlace(personal, { stored: recent, recorded, delivered, earlier, budget }, note)
      : await readWorkspacePlace(
          workspace,
          sources.documents(workspace),
          { agent, append: promptAppend, team: found.team, recent, earlier },
          note,
        );
  return ok({
    agent,
    systemPrompt: systemPrompt.value,
    ...(soul === undefined ? {} : { soul }),
    ...(definition.memory === undefined ? {} : { memorySettings: definition.memory }),
    place,
    owner,
    personal: ownPersonal,
    skills,
    ...(request.guidance == null ? {} : { guidance: request.guidance }),
    tools,
    inbox,
    ...(found.images.length === 0 ? {} : { images: found.images }),
    problems: [...problems, ...personalProblems],
    now,
    budget,
  });
}

/** Documents, and so their owner, are those of the workspace, also in a sub-space. */
async function readWorkspace(store: StoreReads, space: string): Promise<WorkspaceRecord | undefined> {
  const workspace = await store.workspaces.byKey(space);
  if (workspace === undefined || !isSubSpace(space)) return workspace;
  const whole = await store.workspaces.byKey(workspaceOf(space));
  return { ...workspace, documentOwner: whole?.documentOwner ?? null };
}

/**
 * Returns the messages of the deliveries: in `delivered` as they are stored, in `inbox` as the prompt shows them. The
 * prompt shows a schedule's prompt completely, even if the stored message has only its beginning. A kickoff is stored
 * whole, unless it is longer than any model reads at once.
 */
async function readInbox(
  store: StoreReads,
  deliveries: readonly DeliveryRecord[],
): Promise<{ readonly inbox: InboxItem[]; readonly delivered: PromptMessage[] }> {
  const inbox: InboxItem[] = [];
  const delivered: PromptMessage[] = [];
  for (const { id, message: messageId, lane, state } of deliveries.toSorted((a, b) => a.seq - b.seq)) {
    const message = await store.messages.byId(messageId);
    if (message === undefined) throw new Error(`${id} is for the message ${messageId}, which does not exist`);
    const fullText =
      message.kind === "prompt" && message.resource !== null
        ? await store.resources.content(message.resource)
        : undefined;
    const stored = toPromptMessage(message);
    delivered.push(stored);
    inbox.push({
      delivery: id,
      lane,
      attempts: state.attempts,
      message: fullText === undefined ? stored : { ...stored, body: fullText, resource: null },
    });
  }
  return { inbox, delivered };
}

function openPersonal(sources: PromptSources, owner: string | null, note: NoteProblem): PersonalContext | null {
  if (owner === null) return null;
  const context = sources.personal(owner);
  if (!context.ok) note("core memory", context.error.message);
  return context.ok ? context.value : null;
}
