import { existsSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { checkFileName } from "../../files/confined-path.ts";
import { revisionOf } from "../../files/documents/revision.ts";
import { loadProject, type LoadedProject } from "../../files/project/load-project.ts";
import { contextFolderOf } from "../../files/project/personal-folder.ts";
import { systemClock } from "../../kernel/clock.ts";
import { createRedactor } from "../../kernel/redact.ts";
import { refuse, type Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import type { Documents } from "../../ports/documents.ts";
import type { Store } from "../../ports/store/store.ts";
import { mayHoldContexts } from "../../storage/sqlite/inspect.ts";
import { openSqliteStore } from "../../storage/sqlite/sqlite-store.ts";
import { openServerStore } from "../store/open-store.ts";
import { requireTrust } from "../trust/require-trust.ts";

export interface ContextRequest {
  readonly projectDir: string;
  /** The folder that takes the place of the project. */
  readonly folder: string;
  /** Empty: all agents, and the documents. */
  readonly agents: readonly string[];
  /** Replace what is there and differs. */
  readonly overwrite: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The person trusts the project as it is. */
  readonly trust: boolean;
  readonly onProgress: (text: string) => void;
}

export interface ContextReport {
  readonly written: number;
  /** Had this text already. */
  readonly same: number;
}

/** The documents of a workspace that are in the store, and the folder where they would be files. */
export interface WorkspaceDocuments {
  readonly folder: string;
  readonly documents: Documents;
}

/** The store of a project, opened beside its daemon where the store allows it. */
export interface StoredContexts extends AsyncDisposable {
  readonly store: Store;
  readonly project: LoadedProject;
  folderOf(agent: string): string;
  documents(): Promise<readonly WorkspaceDocuments[]>;
}

/**
 * `refuseFiles` is the answer for a project that keeps personal contexts in files, if the store cannot have any. It is
 * given before the store is opened, because a daemon may have it open: stopping that would lead to nothing.
 */
export async function openStoredContexts(
  request: ContextRequest,
  refuseFiles: (canHoldSome: () => boolean) => Result<never, Refusal> | undefined,
): Promise<Result<StoredContexts, Refusal>> {
  const { projectDir, env, agents } = request;
  const project = await loadProject(projectDir);
  if (!project.isRead) {
    return refuse("invalid", "The project file (moniro.yaml) cannot be read.", { hint: "See: agent-worker check" });
  }
  const trusted = requireTrust(projectDir, project, request);
  if (!trusted.ok) return trusted;
  const unknown = agents.find((name) => !project.agents.has(name));
  if (unknown !== undefined) {
    return refuse("not_found", `There is no agent called "${unknown}".`, { hint: "See: agent-worker agent list" });
  }
  const settings = project.settings.store;
  const rules = { checkName: checkFileName, revisionOf, now: () => systemClock.now() };
  const file = isAbsolute(settings.path) ? settings.path : join(projectDir, settings.path);
  const canHoldSome = (): boolean => settings.url !== undefined || mayHoldContexts(file);
  const refused = project.settings.context.provider === "file" ? refuseFiles(canHoldSome) : undefined;
  if (refused !== undefined) return refused;
  if (settings.url === undefined && !existsSync(file)) {
    return refuse("not_found", "The project has no store yet.", {
      hint: "Its first work makes it, for example: agent-worker send AGENT MESSAGE",
    });
  }
  const store =
    settings.url === undefined
      ? openSqliteStore({ kind: "file", file, root: projectDir }, rules)
      : await openServerStore(settings, { dir: projectDir, env, redactor: createRedactor(), rules });
  return ok({
    store,
    project,
    folderOf: (agent) => contextFolderOf(project.agents.get(agent)?.definition ?? { name: agent }),
    async documents() {
      if (agents.length > 0) return [];
      const workspaces = await store.read((reads) => reads.workspaces.list());
      return workspaces
        .filter(({ documents, provider }) => documents === "sqlite" && provider !== "memory")
        .map(({ key, dir }) => ({ folder: join(dir, "documents"), documents: store.documents(key) }));
    },
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  });
}

const MOST_NAMED = 5;

/** Nothing was written. */
export function refuseOverwriting(paths: readonly string[], where: "on disk" | "in the store"): Result<never, Refusal> {
  const named = paths.slice(0, MOST_NAMED).join(", ");
  const more = paths.length > MOST_NAMED ? ` and ${paths.length - MOST_NAMED} more` : "";
  const differ = paths.length === 1 ? "1 file differs" : `${paths.length} files differ`;
  return refuse("conflict", `${differ} from what is ${where}: ${named}${more}. Nothing was written.`, {
    hint: `--overwrite replaces what is ${where}.`,
    details: { files: paths },
  });
}
