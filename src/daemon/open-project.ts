import { realpathSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import { causalLimits } from "../domain/causal/budget.ts";
import type { RecordedEvent } from "../domain/event.ts";
import { checkFileName } from "../files/confined-path.ts";
import { createFileDocuments } from "../files/documents/file-documents.ts";
import { revisionOf } from "../files/documents/revision.ts";
import { createWorkspaceMirror, type WorkspaceMirror } from "../files/mirror/workspace-mirror.ts";
import { createPersonalFiles } from "../files/personal/personal-files.ts";
import { formatProblem } from "../files/definitions/problem.ts";
import { PROJECT_FILES } from "../files/project/find-project.ts";
import { openDefinitions } from "../files/project/definition-registry.ts";
import { contextFolderOf } from "../files/project/load-project.ts";
import { createProvenanceTracker } from "../guard/provenance/provenance.ts";
import { createRecall } from "../guard/memory/recall.ts";
import { system as systemCaller } from "../kernel/caller.ts";
import type { Clock } from "../kernel/clock.ts";
import { Fault } from "../kernel/fault.ts";
import { createClosers } from "../kernel/disposal.ts";
import { createEventHub, type EventHub } from "../kernel/event-hub.ts";
import { createIds } from "../kernel/ids.ts";
import type { Log } from "../kernel/log.ts";
import type { Random } from "../kernel/random.ts";
import type { Redactor } from "../kernel/redact.ts";
import { refuse } from "../kernel/refusal.ts";
import { ok } from "../kernel/result.ts";
import { createSystem, type System } from "../kernel/system.ts";
import type { Services, ProductTypes } from "../operations/core/define.ts";
import { recordUntrustedContent } from "../operations/memory/record-untrusted-content.ts";
import type { Definitions } from "../ports/definitions.ts";
import type { Documents } from "../ports/documents.ts";
import type { PersonalContext } from "../ports/personal-context.ts";
import type { Store } from "../ports/store/store.ts";
import { openMemoryIndex } from "../storage/sqlite/memory-index/memory-index.ts";
import { openSqliteStore } from "../storage/sqlite/sqlite-store.ts";
import { startConversationRecorder, type ConversationRecorder } from "../runtime/background/conversation-recorder.ts";
import { startDecisionRecorder } from "../runtime/background/decision-recorder.ts";
import { startMemoryMaintenance, type MemoryMaintenance } from "../runtime/background/memory-maintenance.ts";
import { startSoulObserver } from "../runtime/background/soul-observer.ts";

/** One project: its definitions, its store, and the System that evaluates operations on them. */
export interface Project extends AsyncDisposable {
  /** Real path of the project folder: what a project is known by. */
  readonly dir: string;
  readonly definitions: Definitions;
  readonly system: System<ProductTypes>;
  readonly store: Store;
  readonly services: Services;
  readonly events: EventHub<RecordedEvent>;
  readonly mirror: WorkspaceMirror;
  /** Acknowledged commits the database lost since it was last open; 0 unless its log was damaged. */
  readonly lostCommits: number;
}

export interface ProjectOptions {
  readonly dir: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly redactor: Redactor;
  /** Called with the mailboxes that have new work, before its commit: only transactions see it already. */
  readonly wake?: (mailboxes: Iterable<string>) => void;
}

const CLOSE_DEADLINE_MS = 10_000;

export async function openProject(options: ProjectOptions): Promise<Project> {
  const { clock, random, redactor } = options;
  const dir = realpathSync(options.dir);
  const log = options.log.with({ project: dir });
  const newId = createIds(clock, random);
  const definitions = await openDefinitions(dir, { mode: "lenient" });
  refuseUnknownSettings(definitions);
  const closers = createClosers(clock, {
    deadlineMs: CLOSE_DEADLINE_MS,
    onProblem: ({ name, error }) => log.error("could not close", { part: name, error }),
  });

  const rules = { checkName: checkFileName, revisionOf, now: () => clock.now() };
  const storePath = definitions.settings().store.path;
  const file = isAbsolute(storePath) ? storePath : join(dir, storePath);
  const store = openSqliteStore({ kind: "file", file }, rules);
  closers.add("store", () => store[Symbol.asyncDispose]());
  if (store.migration.from !== store.migration.to) log.info("database upgraded", { ...store.migration });
  if (store.lostCommits > 0) log.error("the database lost acknowledged commits", { lost: store.lostCommits });

  const index = openMemoryIndex(join(dirname(file), "index", "memory.db"), clock);
  closers.add("memory index", async () => index[Symbol.dispose]());
  const recall = createRecall(index);

  let conversations: ConversationRecorder | undefined;
  let memories: MemoryMaintenance | undefined;
  /** Kept, because they remember what they parsed. As many as there are agents. */
  const personal = new Map<string, PersonalContext>();
  /** The same for documents: as many as there are workspaces. */
  const documents = new Map<string, Documents>();
  const services: Services = {
    definitions,
    get causalLimits() {
      return causalLimits(definitions.settings().defaults.budget);
    },
    redact: (text) => redactor.redact(text),
    personal: (agent) => {
      const definition = definitions.agent(agent);
      if (definition === undefined) {
        return refuse("not_found", `There is no agent called "${agent}".`, { hint: "See: agent-worker agent list" });
      }
      if (definitions.isEphemeral(agent)) {
        return refuse("not_found", `${agent} is ephemeral: it has no personal context.`, {
          hint: `Keep it with: agent-worker agent create NAME --from ${agent}`,
        });
      }
      const folder = contextFolderOf(definition);
      const known = personal.get(folder);
      if (known !== undefined) return ok(known);
      const context = createPersonalFiles({ root: dir, dir: folder, clock, newId: () => newId("mem") });
      if (context.ok) personal.set(folder, context.value);
      return context;
    },
    recall,
    provenance: createProvenanceTracker({
      has: (agent, space) => store.read((reads) => reads.memories.hasSeenUntrusted(agent, space)),
      add: async (agent, space) => void (await system.propose(systemCaller, recordUntrustedContent, { agent, space })),
    }),
    recalled: (agent, entries) => memories?.recalled(agent, entries),
    setConversationAside: (agent) => {
      if (conversations === undefined) throw new Error("The project is not open yet.");
      return conversations.setAside(agent);
    },
    documents: (workspace) => {
      if (workspace.documents === "sqlite") return ok(store.documents(workspace.key));
      const known = documents.get(workspace.dir);
      if (known !== undefined) return ok(known);
      const files = createFileDocuments({ root: dir, dir: join(workspace.dir, "documents") });
      if (files.ok) documents.set(workspace.dir, files.value);
      return files;
    },
  };

  const events = createEventHub<RecordedEvent>((error) => log.error("an observer of events failed", { error }));
  const system = createSystem<ProductTypes>({
    store,
    services,
    clock,
    random,
    newId,
    publish: (published) => events.publish(published),
    wake: (mailboxes) => options.wake?.(mailboxes),
  });

  const mirror = createWorkspaceMirror({ root: dir, store, events, log });
  closers.add("mirror", () => mirror[Symbol.asyncDispose]());
  void mirror.catchUp();
  const recorder = startDecisionRecorder({ system, events, store, log });
  closers.add("decision recorder", () => recorder[Symbol.asyncDispose]());
  const keeper = startConversationRecorder({
    clock,
    system,
    personal: services.personal,
    events,
    store,
    log,
  });
  conversations = keeper;
  closers.add("conversation recorder", () => keeper[Symbol.asyncDispose]());
  const remembering = startMemoryMaintenance({ system, services, recall, events, clock, log });
  memories = remembering;
  closers.add("memory keeper", () => remembering[Symbol.asyncDispose]());
  const souls = startSoulObserver({ system, definitions, events, store, clock, log });
  closers.add("soul guard", () => souls[Symbol.asyncDispose]());

  return {
    dir,
    definitions,
    system,
    store,
    services,
    events,
    mirror,
    lostCommits: store.lostCommits,
    [Symbol.asyncDispose]: () => closers[Symbol.asyncDispose](),
  };
}

/** The project file says where the store is: one that cannot be read must not make us open another. */
function refuseUnknownSettings(definitions: Definitions): void {
  const mistake = definitions
    .problems()
    .find(({ file, severity }) => severity === "error" && PROJECT_FILES.some((name) => name === file));
  if (mistake === undefined) return;
  throw new Fault("project_invalid", `The project file cannot be used.\n${formatProblem(mistake)}`, {
    hint: "Correct it first: it says where the project keeps its data.",
  });
}
