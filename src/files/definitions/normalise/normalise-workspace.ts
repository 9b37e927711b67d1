import { whyOnlyPeopleWrite } from "../../../domain/agent/obeyed-files.ts";
import type { WorkspaceProvider, WorkspaceSettings } from "../../../domain/workflow/definition.ts";
import { placeholderNames } from "../../../domain/workflow/placeholder.ts";
import { checkFileName } from "../../confined-path.ts";
import { projectPath } from "../../project-path.ts";
import type { YamlPath } from "../../yaml/problem.ts";
import type { Report } from "../../yaml/report.ts";
import type { ContextFile, WorkflowFile } from "../schema/workflow-schema.ts";
import { defined } from "./defined.ts";
import { duration } from "./normalise-runtime.ts";

const DEFAULT_CHANNEL_FILE = "channel.md";
const DEFAULT_DOCUMENT_FILE = "notes.md";

/** Converts the workspace settings of a workflow: `workspace:`, or its old spelling `context:`. */
export function normaliseWorkspace(
  file: WorkflowFile,
  report: Report,
  options: {
    readonly provider?: WorkspaceProvider;
    /** Where documents are when the workflow does not say it, and nothing needs them as files. */
    readonly documents?: "file" | "sqlite";
    readonly participants: readonly string[];
  },
): WorkspaceSettings {
  if (file.workspace !== undefined && file.context !== undefined) {
    report.error(["context"], `"workspace" and "context" cannot both be given.`, {
      hint: "Keep workspace; context is its old spelling.",
      part: "key",
    });
  }
  const key = file.workspace === undefined ? "context" : "workspace";
  const written: ContextFile | undefined = file.workspace === undefined ? file.context : file.workspace;
  const settings = typeof written === "object" && written !== null ? written : {};
  const provider = settings.provider ?? options.provider ?? "sqlite";
  if (settings.config?.db !== undefined) {
    report.warn([key, "config", "db"], `"db" has no effect: a project has one database.`, {
      hint: "Remove it; store.path of the project file (moniro.yaml) chooses where the database is.",
      part: "key",
    });
  }
  if (settings.document === false) {
    report.error([key, "document"], "Documents cannot be switched off alone.", {
      hint: `Write ${key}: false for neither.`,
    });
  }
  const bind = bindFolder(settings, key, report);
  const needsFiles = bind !== undefined || usesPlaceholder(file, "context.document");
  const initial = provider === "memory" ? "sqlite" : needsFiles ? "file" : (options.documents ?? "file");
  const documents = settings.documents === "store" ? "sqlite" : (settings.documents ?? initial);
  const namesFile = typeof settings.channel === "object" && settings.channel?.file !== undefined;
  const usesFile = usesPlaceholder(file, "context.channel");
  if (bind !== undefined && provider === "memory" && documents !== "file") {
    report.error([key, "provider"], "A workspace in memory keeps nothing in a folder, so it cannot go on with one.", {
      hint: "Remove bind, or choose provider: file or provider: sqlite.",
    });
  }
  if (documents !== "file" && usesPlaceholder(file, "context.document")) {
    report.error([key], "The documents are in the database, so ${{ context.document }} would name no file.", {
      hint: `Write documents: file in ${key}, or use the document tools.`,
      part: "key",
    });
  }
  return defined({
    provider,
    documents,
    channel: written !== false && settings.channel !== false,
    mirrored: provider === "file" || namesFile || usesFile,
    bind,
    documentOwner: owner(settings.documentOwner, [key, "documentOwner"], options.participants, report),
    electionTimeoutMs: duration(settings.electionTimeout, [key, "electionTimeout"], report),
    channelFile: fileName(settings.channel, [key, "channel"], DEFAULT_CHANNEL_FILE, report),
    documentFile: fileName(settings.document, [key, "document"], DEFAULT_DOCUMENT_FILE, report),
  });
}

/** Whether a text of the workflow that is filled in uses this placeholder. */
function usesPlaceholder({ setup = [], kickoff = "" }: WorkflowFile, name: string): boolean {
  return [kickoff, ...setup.map(({ shell }) => shell)].some((text) => placeholderNames(text).includes(name));
}

type Settings = Exclude<ContextFile, boolean | null>;

/** The check sees plain names instead of placeholders, whose later values cannot lead outside the project. */
function bindFolder(settings: Settings, key: string, report: Report): string | undefined {
  const places = [
    { path: [key, "bind"], written: settings.bind },
    { path: [key, "dir"], written: settings.dir },
    { path: [key, "config", "dir"], written: settings.config?.dir },
  ].filter(({ written }) => written !== undefined);
  const [first, second] = places;
  if (second !== undefined) {
    report.error(second.path, "The folder is given twice.", { hint: "Keep bind.", part: "key" });
  }
  if (first?.written === undefined) return undefined;
  const placeholders: string[] = [];
  const hidden = first.written.replace(/\$\{\{.*?\}\}/gu, (text) => `placeholder${placeholders.push(text) - 1}-`);
  const checked = projectPath(hidden);
  if (!checked.ok) {
    const plain = projectPath(first.written);
    report.refused(first.path, plain.ok ? checked.error : plain.error);
    return undefined;
  }
  const reason = whyOnlyPeopleWrite(checked.value);
  if (reason !== null) {
    report.error(first.path, `"${first.written}" cannot be the folder of a workspace: ${reason}`, {
      hint: "Choose a folder of its own, such as ./data.",
    });
    return undefined;
  }
  return checked.value.replace(/placeholder(\d+)-/gu, (text, index: string) => placeholders[Number(index)] ?? text);
}

function owner(
  written: string | undefined,
  path: YamlPath,
  participants: readonly string[],
  report: Report,
): string | undefined {
  if (written === undefined || written === "elect" || participants.includes(written)) return written;
  report.error(path, `"${written.slice(0, 64)}" does not take part in this workflow, so it cannot own the documents.`, {
    hint: `Name one of ${participants.slice(0, 20).join(", ")}, or elect.`,
  });
  return undefined;
}

function fileName(choice: Settings["channel"], path: YamlPath, initial: string, report: Report): string {
  const written = typeof choice === "object" ? choice?.file : undefined;
  if (written === undefined) return initial;
  const checked = checkFileName(written.replace(/^\.\//u, ""));
  const reason = checked.ok ? whyOnlyPeopleWrite(checked.value) : null;
  if (checked.ok && reason === null) return checked.value;
  if (checked.ok) {
    report.error([...path, "file"], `"${checked.value}" cannot be a file of a workspace: ${reason}`);
    return initial;
  }
  report.error([...path, "file"], `A name of a file was expected: ${checked.error.message}.`, {
    hint: checked.error.hint,
  });
  return initial;
}
