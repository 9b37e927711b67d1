import { join } from "node:path";
import type { AgentDefinition, SystemPrompt } from "../../domain/agent/definition.ts";
import { showsImages } from "../../domain/agent/engines.ts";
import { contextFolderOf, type PersonalFolders } from "../../domain/agent/private-paths.ts";
import { bringsOwnTools, isToolChosen, programDefinition, SKILL_TOOL } from "../../domain/agent/tool-choice.ts";
import { guardOf } from "../../domain/guard/guard-of.ts";
import { asksFor } from "../../domain/guard/guard-purpose.ts";
import { selectForPrompt } from "../../guard/model/select-for-prompt.ts";
import { assemblePrompt } from "../../guard/context/assemble-prompt.ts";
import { readImage } from "../../guard/context/read-images.ts";
import type { PromptInput, SkillEntry } from "../../guard/context/prompt-input.ts";
import { readPromptInput, type PromptSources } from "../../guard/context/read-prompt-input.ts";
import type { Provenance } from "../../guard/provenance/provenance.ts";
import { systemCaller } from "../../kernel/caller.ts";
import type { Refusal } from "../../kernel/refusal.ts";
import type { Result } from "../../kernel/result.ts";
import { recordUntrustedContent } from "../../operations/memory/record-untrusted-content.ts";
import type { BegunRun } from "../../operations/runs/begin-run.ts";
import type { Definitions } from "../../ports/definitions.ts";
import { EngineFailure } from "../../ports/engine.ts";
import type { Skills } from "../../ports/skills.ts";
import type { RunRecord } from "../../ports/store/run.ts";
import type { StoreReads } from "../../ports/store/store.ts";
import type { RunningProject } from "../running-project.ts";
import type { PreparedRun } from "./execute-run.ts";
import { createRunTools, type RunToolParts } from "./run-tools.ts";
import { commitWork, openRunWorktree } from "./run-worktree.ts";

/** What the composition root supplies to prepare runs. */
export interface PrepareRunParts extends RunToolParts {
  readonly systemPrompt: (prompt: SystemPrompt) => Result<string, Refusal>;
  readonly skills: Skills;
  /** Returns the nearest `AGENTS.md` above a folder of the project; null when there is none. */
  readonly guidance: (cwd: string | undefined) => PromptInput["guidance"] | null;
}

/** Gives a begun run its definition, tools, prompt and working directory. Throws an EngineFailure when it cannot run. */
export async function prepareRun(
  project: RunningProject,
  parts: PrepareRunParts,
  caches: Pick<PromptSources, "recent" | "teams">,
  begun: BegunRun,
): Promise<PreparedRun> {
  const { services } = project;
  const { run, agent, deliveries, finishedSteps } = begun;
  const read = <T>(work: (store: StoreReads) => Promise<T>): Promise<T> => project.store.read(work);
  const { definition, owner } = agent;
  const personalFolders = personalFoldersOf(services.definitions, owner);
  const { promptTokens } = guardOf(definition).budget ?? {};
  await using opened = new AsyncDisposableStack();
  const worktree = await openRunWorktree(project, begun);
  if (worktree !== null) opened.use(worktree);
  const root = worktree?.dir ?? project.dir;
  const tools = opened.use(await createRunTools(project, parts, begun, definition, { personalFolders, root }));
  const input = await readPromptInput(
    { read, ...caches, ...services, systemPrompt: parts.systemPrompt },
    {
      run,
      agent,
      deliveries,
      skills: await listSkills(parts.skills, definition),
      // Programs read it themselves.
      guidance: bringsOwnTools(definition) ? null : (parts.guidance(definition.cwd) ?? null),
      tools: tools.list().map(({ name }) => name),
      showsImages: showsImages(definition.backend),
      now: parts.clock.now(),
      ...(promptTokens === undefined ? {} : { budget: promptTokens }),
    },
  );
  if (!input.ok) throw new EngineFailure("permanent", `${input.error.message} ${input.error.hint ?? ""}`.trim());
  // A run that goes on has its prompt already.
  const chosen = finishedSteps === 0 ? await select(project, begun, input.value) : input.value;
  const { system, prompt, pieces, receipt, shownFrom } = assemblePrompt(chosen);
  if (shownFrom !== null) {
    const filesOf = run.space.startsWith("@") || input.value.personal === null ? null : owner;
    project.omitted.publish([{ space: run.space, mailbox: run.mailbox, definition, filesOf, before: shownFrom }]);
  }
  const tracked = await beginTracking(project, run, definition, chosen);
  const transcript = finishedSteps === 0 ? null : await read((store) => store.runs.transcript(run.id));
  opened.use(tracked);
  const closing = opened.move();
  return {
    definition,
    prompt,
    pieces,
    receipt: JSON.stringify({ ...receipt, ...tracked.provenance }),
    beginStep: (number) => tools.beginStep(number),
    keepWork: async (text) => commitWork(parts.log, worktree, run, text),
    spec: {
      run: run.id,
      agent: programDefinition(definition),
      system,
      transcript,
      previous: () => read((store) => store.runs.lastTranscript(run)),
      tools,
      endpoint: tools.endpoint,
      approvals: tools.approvals,
      cwd: join(root, definition.cwd ?? "."),
      personalFolders,
      images: {
        shown: (chosen.images ?? []).filter(({ hidden }) => hidden === null),
        read: (resource) => read((store) => readImage(store, run.space, resource)),
      },
    },
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  };
}

/** Lets the guard's model choose what the prompt shows first. */
async function select({ services, store }: RunningProject, { run, agent }: BegunRun, input: PromptInput) {
  const { definition } = agent;
  const { id, mailbox, space } = run;
  if (!asksFor(guardOf(definition), "select")) return input;
  const workspace = await store.read((reads) => reads.workspaces.byKey(space));
  const documents = workspace && services.documents(workspace);
  const subject = { definition, mailbox, space, run: id };
  return selectForPrompt(services.askGuardModel, subject, input, async (file) => {
    const read = documents?.ok === true ? await documents.value.read(file) : undefined;
    return read?.ok === true ? read.value : undefined;
  });
}

function personalFoldersOf(definitions: Definitions, owner: string | null): PersonalFolders {
  const owned = owner === null || definitions.isEphemeral(owner) ? undefined : definitions.agent(owner);
  return {
    own: owned === undefined ? null : contextFolderOf(owned),
    get others() {
      return definitions
        .agents()
        .filter(({ name }) => name !== owner && !definitions.isEphemeral(name))
        .map(contextFolderOf);
    },
  };
}

/**
 * Returns the skills that the prompt lists: none for an agent without the tool that reads them. What an imported one says
 * about itself is untrusted content, so it is not in the prompt of every run; reading it marks the run.
 */
async function listSkills(skills: Skills, definition: AgentDefinition): Promise<readonly SkillEntry[]> {
  if (!isToolChosen(definition, SKILL_TOOL)) return [];
  return (await skills.list()).map(({ name, description, source }) => ({
    name,
    description: source === null ? description : null,
    location: `${SKILL_TOOL} {"name": "${name}"}`,
  }));
}

/** Tracks the provenance of the run until it is disposed. An agent without a memory needs no tracking. */
async function beginTracking(
  { system, services, store }: RunningProject,
  { id, space }: RunRecord,
  definition: AgentDefinition,
  input: PromptInput,
): Promise<Disposable & { readonly provenance: Partial<Provenance> }> {
  const { owner, personal } = input;
  if (owner === null || personal === null) return { provenance: {}, [Symbol.dispose]: () => {} };
  const ownTools = bringsOwnTools(definition) || Object.keys(definition.mcpServers ?? {}).length > 0;
  const tracked = await services.provenance.begin({ id, agent: owner, space, ownTools }, input, {
    has: (agent, where) => store.read((reads) => reads.memories.hasSeenUntrusted(agent, where)),
    add: async (agent, where) =>
      void (await system.propose(systemCaller, recordUntrustedContent, { agent, space: where })),
  });
  return { provenance: services.provenance.of(id), [Symbol.dispose]: () => tracked[Symbol.dispose]() };
}
