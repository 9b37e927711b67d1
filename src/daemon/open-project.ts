import { existsSync, lstatSync, realpathSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import { embeddingOf } from "../domain/guard/embedding-of.ts";
import { causalLimits } from "../domain/causal/budget.ts";
import { NO_MACHINE } from "./machine/no-machine.ts";
import type { Machine } from "../ports/machine.ts";
import type { RecordedEvent } from "../domain/event.ts";
import { checkFileName } from "../files/confined-path.ts";
import { workspaceOf } from "../domain/workspace/sub-space.ts";
import { createFileDocuments } from "../files/documents/file-documents.ts";
import { revisionOf } from "../files/documents/revision.ts";
import { createWorkspaceMirror, type WorkspaceMirror } from "../files/mirror/workspace-mirror.ts";
import { createPersonalFiles } from "../files/personal/personal-files.ts";
import { openDefinitions } from "../files/project/definition-registry.ts";
import { PROJECT_FILES } from "../files/project/find-project.ts";
import { ignoreWorkingData } from "../files/project/ignore-working-data.ts";
import { contextFolderOf } from "../files/project/personal-folder.ts";
import { discardStagedChange, isStagedChangeDone } from "../files/staged-change.ts";
import { formatProblem } from "../files/yaml/problem.ts";
import { createEmbedder } from "../guard/memory/embedder.ts";
import { createRecall } from "../guard/memory/recall.ts";
import { createAskGuardModel } from "../guard/model/ask-guard-model.ts";
import { createProvenanceTracker } from "../guard/provenance/provenance.ts";
import { systemCaller } from "../kernel/caller.ts";
import type { Clock } from "../kernel/clock.ts";
import { createClosers } from "../kernel/disposal.ts";
import { createEventHub } from "../kernel/event-hub.ts";
import { Fault } from "../kernel/fault.ts";
import { createPrices } from "../files/prices/price-list.ts";
import { createIds } from "../kernel/ids.ts";
import type { Log } from "../kernel/log.ts";
import type { Random } from "../kernel/random.ts";
import type { Redactor } from "../kernel/redact.ts";
import { ok } from "../kernel/result.ts";
import { createSystem } from "../kernel/system.ts";
import { createCallMemory } from "../operations/core/call-memory.ts";
import { explainRefusal } from "../operations/core/explain-refusal.ts";
import { createRunQuota } from "../operations/core/run-quota.ts";
import type { Services, ProductTypes } from "../operations/core/define.ts";
import { recordGuardUse } from "../operations/guard/record-guard-use.ts";
import { followDefinitions } from "../operations/definitions/follow-definitions.ts";
import { checkFence } from "../operations/runs/leased-run.ts";
import type { Definitions } from "../ports/definitions.ts";
import type { Documents } from "../ports/documents.ts";
import type { GuardModels, ModelFailure } from "../ports/guard-models.ts";
import type { Worktrees } from "../ports/worktrees.ts";
import { startBackground, UPKEEP } from "../runtime/background/start-background.ts";
import { createSpaceHolds } from "../runtime/space-holds.ts";
import { createConversationFiles } from "../runtime/conversation-files.ts";
import { followEvents } from "../runtime/peers/event-follower.ts";
import type { OpenProject } from "../runtime/open-project.ts";
import { createPersonalContexts } from "../runtime/personal-contexts.ts";
import { readStoreId } from "../storage/sqlite/inspect.ts";
import { createStorePersonal } from "../storage/personal/store-personal.ts";
import { openMemoryIndex } from "../storage/sqlite/memory-index/memory-index.ts";
import { openSqliteStore } from "../storage/sqlite/sqlite-store.ts";
import type { ProposalDefinition } from "../operations/own-proposals/definition.ts";
import { createCodeFiles } from "../files/proposals/code-files.ts";
import { createProjectProposals } from "./own-proposals/project-proposals.ts";
import { loneNode } from "./node/node-settings.ts";
import { createProjectNode, type ProjectNodeParts } from "./node/project-node.ts";
import type { KnownStores } from "./store/known-stores.ts";
import { openServerStore } from "./store/open-store.ts";
import { createStoreUpkeep } from "./store/store-upkeep.ts";
import { NO_WORKTREES } from "./store/no-worktrees.ts";
import { withoutStore } from "./store/without-store.ts";
import type { ConsentFiles } from "./trust/consent-files.ts";
import type { PackagePlaces } from "../engines/sdk/provider-packages.ts";
import { createEngineSettings } from "./trust/engine-settings.ts";
import { createProjectPackages } from "./trust/project-packages.ts";
import { createProjectTrust, type ProjectTrust } from "./trust/project-trust.ts";
import { refuseProposals } from "./trust/refuse-proposals.ts";
import { copyStoreAtRest } from "./trust/resting-copy.ts";

/** An open project with its mirror. */
export interface Project extends OpenProject, AsyncDisposable {
  readonly mirror: WorkspaceMirror;
  /** Absolute path of the database. */
  readonly storeFile: string;
  /** The store was gone when the project was opened: it rests until the store is there again, or a person begins anew. */
  readonly storeMissing: boolean;
  readonly trust: ProjectTrust;
}

export interface ProjectOptions extends Pick<ProjectNodeParts, "node" | "usableEngines"> {
  readonly dir: string;
  /** Absent: the project is trusted as it is. */
  readonly trust?: TrustOptions;
  readonly knownStores?: KnownStores;
  /** Proposals that the program around the daemon gives to every project. */
  readonly proposals?: readonly ProposalDefinition[];
  /** Closes the project and opens it again. Absent: whoever opened the project does it. */
  readonly onReopen?: (dir: string) => void;
  /** How many connections the server has accepted so far. */
  readonly accepted?: () => number;
  /** Where the packages of providers are looked for. */
  readonly packages?: PackagePlaces;
  /** Absent: the guard has no model, and decides by its rules. */
  readonly guardModels?: GuardModels;
  /** Returns the worktrees of the project in this folder. Absent: it has none. */
  readonly worktrees?: (dir: string) => Worktrees;
  /** Where variables that the project file names are looked up. Default: that of the process. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Absent: nothing of the machine is known, as in tests. */
  readonly machine?: (dir: string) => Machine;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly redactor: Redactor;
}

/** Where consents are kept, and what to do when one changes. */
export interface TrustOptions {
  readonly home: string;
  readonly consents: ConsentFiles;
  readonly onChange: (dir: string) => void;
}

const CLOSE_DEADLINE_MS = 10_000;

const UNAVAILABLE: ModelFailure = { ok: false, reason: "No model can be asked here." };
const NO_MODELS: GuardModels = { complete: async () => UNAVAILABLE, embed: async () => UNAVAILABLE };

export async function openProject(options: ProjectOptions): Promise<Project> {
  const { clock, random, redactor, env = process.env } = options;
  const dir = realpathSync(options.dir);
  const log = options.log.with({ project: dir });
  const newId = createIds(clock, random);
  const definitions = await openDefinitions(dir, {
    ownTools: (options.proposals ?? []).map(({ name }) => name),
  });
  refuseUnknownSettings(definitions);
  const closers = createClosers(clock, {
    deadlineMs: CLOSE_DEADLINE_MS,
    onProblem: ({ name, error }) => log.error("could not close", { part: name, error }),
  });

  const rules = { checkName: checkFileName, revisionOf, now: () => clock.now() };
  const storeSettings = definitions.settings().store;
  const storePath = storeSettings.path;
  const onServer = storeSettings.url !== undefined;
  const file = isAbsolute(storePath) ? storePath : join(dir, storePath);
  const code = createCodeFiles(dir);
  const trust = createProjectTrust({
    dir,
    code,
    definitions,
    consents: options.trust?.consents,
    settings: [createEngineSettings(dir), createProjectPackages(dir, options.packages ?? {})],
    // A store on a server does not come with the folder: whether it may be used is a power of the project.
    storeId: () => (onServer ? undefined : readStoreId(file)),
    onChange: () => options.trust?.onChange(dir),
  });
  const isTrusted = trust.mayAct();
  // Only a person says that a project begins with an empty database where there was one.
  const isThere = onServer || lstatSync(file, { throwIfNoEntry: false }) !== undefined;
  const storeMissing = isTrusted && options.knownStores?.of(dir) !== undefined && !isThere;
  const atRest = !isTrusted || storeMissing;
  const home = options.trust?.home ?? options.knownStores?.home;
  const resting = atRest && home !== undefined ? copyStoreAtRest(onServer ? undefined : file, home, log) : undefined;
  if (resting !== undefined) closers.add("copy of the store", () => resting[Symbol.dispose]());
  const index = openMemoryIndex(join(resting?.folder ?? dirname(file), "index", "memory.db"), clock);
  closers.add("memory index", async () => index[Symbol.dispose]());
  const connections = options.accepted === undefined ? {} : { accepted: options.accepted };
  const store =
    onServer && resting === undefined
      ? await openServerStore(storeSettings, { dir, env, redactor, rules, node: options.node ?? loneNode() })
      : openSqliteStore(resting?.placement ?? { kind: "file", file, root: dir }, rules, connections);
  closers.add("store", () => store[Symbol.asyncDispose]());
  if (!atRest) {
    if (!onServer) trust.rememberStore(store.id);
    ignoreWorkingData(dir);
  }
  if (store.migration.from !== store.migration.to) log.info("database upgraded", { ...store.migration });
  if (store.lostCommits > 0) log.error("the database lost acknowledged commits", { lost: store.lostCommits });

  const storeUpkeep = createStoreUpkeep({
    dir,
    file,
    store,
    known: isTrusted ? options.knownStores : undefined,
    isMissing: storeMissing,
    onServer,
    reopen: () => options.onReopen?.(dir),
  });
  if (storeMissing) log.warn("the database of a project is gone", { file });

  const hub = <E>() => createEventHub<E>((error) => log.error("an observer of events failed", { error }));
  const events = hub<RecordedEvent>();
  const wakes = hub<string>();
  const follower =
    store.peers === undefined
      ? undefined
      : await followEvents({ store, events, wake: (mailboxes) => wakes.publish(mailboxes), clock, log });
  if (follower !== undefined) closers.add("events of other daemons", async () => follower[Symbol.dispose]());
  const recalled: Project["recalled"] = hub();
  const omitted: Project["omitted"] = hub();
  /** By workspace folder. Stored here because they cache what they parsed. */
  const documents = new Map<string, Documents>();
  const guardModels = (atRest ? undefined : options.guardModels) ?? NO_MODELS;
  const embedder = createEmbedder({
    index,
    models: guardModels,
    choiceOf: (agent) => {
      const definition = definitions.agent(agent);
      const may = definition !== undefined && !atRest && trust.unseenOfAgent(definition, null).length === 0;
      return may ? embeddingOf(definition) : undefined;
    },
    clock,
    log,
  });
  closers.add("vectors", async () => {
    embedder.close();
    await embedder.idle();
  });
  const { node: settings, usableEngines } = options;
  const inStore = definitions.settings().context.provider === "store";
  const node = await createProjectNode({
    dir,
    instance: newId("own"),
    definitions,
    store,
    node: settings,
    usableEngines,
  });
  closers.add("fingerprints", () => node[Symbol.dispose]());
  const services: Services = {
    node,
    definitions,
    machine: options.machine?.(dir) ?? NO_MACHINE,
    get causalLimits() {
      return causalLimits(definitions.settings().defaults.budget);
    },
    redact: (text) => redactor.redact(text),
    async redactInParts(text) {
      await redactor.prepare(text);
      return redactor.redact(text);
    },
    personal: createPersonalContexts(
      definitions,
      contextFolderOf,
      (folder, agent) =>
        inStore
          ? ok(createStorePersonal({ store, agent, clock, newId }))
          : createPersonalFiles({ root: dir, dir: folder, clock, newId: () => newId("mem") }),
      (folder) => inStore || existsSync(join(dir, folder)),
    ),
    recall: createRecall(index, embedder),
    provenance: createProvenanceTracker(),
    recalled: (agent, entries) => recalled.publish(entries.length === 0 ? [] : [{ agent, entries }]),
    archiveConversation: (agent) => conversations.archive(agent),
    documents: (workspace) => {
      if (workspace.documents === "sqlite") return ok(store.documents(workspaceOf(workspace.key)));
      const cached = documents.get(workspace.dir);
      if (cached !== undefined) return ok(cached);
      const files = createFileDocuments({ root: dir, dir: join(workspace.dir, "documents"), now: () => clock.now() });
      if (files.ok) documents.set(workspace.dir, files.value);
      return files;
    },
    guardModels,
    askGuardModel: createAskGuardModel({
      models: guardModels,
      trust,
      clock,
      log,
      redact: (text) => redactor.redact(text),
      tokensOfDay: (mailbox, day) => store.read(({ guardUses }) => guardUses.tokensOfDay(mailbox, day)),
      record: async (use) => void (await system.propose(systemCaller, recordGuardUse, use)),
    }),
    trust,
    prices: createPrices(() => definitions.settings().prices),
    storeUpkeep,
    worktrees: options.worktrees?.(dir) ?? NO_WORKTREES,
    ownProposals: createProjectProposals({
      projectDir: dir,
      clock,
      files: code,
      unseen: (powers) => trust.unseenOfCode(powers),
      atRest,
      given: options.proposals ?? [],
    }),
  };

  const whole = createSystem<ProductTypes>({
    store,
    services,
    clock,
    random,
    newId,
    quota: createRunQuota(),
    callMemory: createCallMemory({ isDone: isStagedChangeDone, discard: discardStagedChange }),
    checkFence,
    beforeProposal: (data) => redactor.prepare(data),
    explain: (refusal) => explainRefusal(refusal, { definitions, store }),
    publish: (published) => (follower === undefined ? events.publish(published) : follower.publish(published)),
    wake: (mailboxes) => wakes.publish([...mailboxes]),
  });
  const system = storeMissing ? withoutStore(whole, file) : atRest ? refuseProposals(whole, trust) : whole;
  const following = definitions.observe(async () => {
    try {
      if (!atRest) await system.propose(systemCaller, followDefinitions, {});
    } catch (error) {
      log.error("could not take over what changed in the definition files", { error });
    }
  });
  closers.add("definitions", () => following[Symbol.dispose]());
  const conversations = createConversationFiles(system, services.personal);

  const holds = createSpaceHolds();
  const mirror = createWorkspaceMirror({ root: dir, store, events, log, hold: (space) => holds.hold(space) });
  closers.add("mirror", () => mirror[Symbol.asyncDispose]());
  if (!atRest) void mirror.catchUp();
  const closing = new AbortController();
  const project: Project = {
    dir,
    definitions,
    system,
    services,
    store,
    events,
    wakes,
    recalled,
    omitted,
    conversations,
    holds,
    mirror,
    storeFile: file,
    atRest,
    storeMissing,
    trust,
    closing: closing.signal,
    [Symbol.asyncDispose]: () => closers[Symbol.asyncDispose](),
  };
  if (!atRest) startBackground(UPKEEP, { ...project, clock, log }, closers);
  closers.add("streams", () => closing.abort());
  return project;
}

/** The project file says where the store is: if it cannot be read, another store must not be opened instead. */
function refuseUnknownSettings(definitions: Definitions): void {
  const problem = definitions
    .problems()
    .find(({ file, severity }) => severity === "error" && PROJECT_FILES.some((name) => name === file));
  if (definitions.hasSettings() || problem === undefined) return;
  throw new Fault("project_invalid", `The project file cannot be used.\n${formatProblem(problem)}`, {
    hint: "Correct it first: it says where the project keeps its data.",
  });
}
