import { openFolder } from "../../files/confined-folder.ts";
import { readInside } from "../../files/confined-path.ts";
import { listDocuments } from "../../files/documents/list-documents.ts";
import { ARCHIVE } from "../../files/personal/area.ts";
import { visibleFiles } from "../../files/personal/file-area.ts";
import { SOUL_FILE } from "../../files/personal/soul.ts";
import { parseSoulFile } from "../../files/personal/soul-text.ts";
import { systemClock } from "../../kernel/clock.ts";
import { createIds } from "../../kernel/ids.ts";
import { systemRandom } from "../../kernel/random.ts";
import { refuse, type Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import type { Store } from "../../ports/store/store.ts";
import { openStoredContexts, refuseOverwriting } from "./stored-contexts.ts";
import type { ContextReport, ContextRequest, StoredContexts } from "./stored-contexts.ts";

/** A file that was found, with its counterpart in the store. */
interface FoundFile {
  readonly path: string;
  readonly text: string;
  /** Null: the store has none. */
  readonly stored: string | null;
  /** Writes it, unless the store has another text by now. */
  put(): Promise<Result<unknown, Refusal>>;
}

const FOLDERS = ["", "memory", "notes", "todo", "conversations", `conversations/${ARCHIVE}`];
const MAX_BYTES = 16 * 1024 * 1024;
const PROGRESS_EVERY = 100;

/**
 * Brings personal contexts and documents from files into the store. Everything is compared before anything is written,
 * and each file is one transaction: an import that was interrupted is repeated. The files are left as they are.
 */
export async function importContext(request: ContextRequest): Promise<Result<ContextReport, Refusal>> {
  const opened = await openStoredContexts(request, refuseFiles);
  if (!opened.ok) return opened;
  await using target = opened.value;
  const personal = await personalFiles(target, request);
  if (!personal.ok) return personal;
  const documents = await documentFiles(target, request);
  if (!documents.ok) return documents;
  const found = [...personal.value, ...documents.value];
  const changed = found.filter(({ text, stored }) => text !== stored);
  const different = changed.filter(({ stored }) => stored !== null).map(({ path }) => path);
  if (different.length > 0 && !request.overwrite) return refuseOverwriting(different, "in the store");
  for (const [done, file] of changed.entries()) {
    const written = await file.put();
    if (!written.ok) return written;
    if (done % PROGRESS_EVERY === PROGRESS_EVERY - 1) request.onProgress(`${done + 1} of ${changed.length} files`);
  }
  return ok({ written: changed.length, same: found.length - changed.length });
}

function refuseFiles() {
  return refuse("conflict", "There is nothing to do: the project keeps personal contexts in files.", {
    hint: "To keep them in the store, write into moniro.yaml: context: { provider: store }",
  });
}

async function personalFiles(
  { store, project, folderOf }: StoredContexts,
  { folder: root, agents }: ContextRequest,
): Promise<Result<FoundFile[], Refusal>> {
  const newId = createIds(systemClock, systemRandom);
  const found: FoundFile[] = [];
  for (const agent of agents.length === 0 ? project.agents.keys() : agents) {
    for (const folder of FOLDERS) {
      const path = [folderOf(agent), ...(folder === "" ? [] : [folder])].join("/");
      for (const name of namesIn(root, path).filter((each) => folder !== "" || each === SOUL_FILE)) {
        const text = await readInside(root, `${path}/${name}`, { maxBytes: MAX_BYTES }, { hidden: true });
        if (!text.ok) return text;
        const problem = name === SOUL_FILE && folder === "" ? parseSoulFile(name, text.value).problem : null;
        if (problem !== null) return refuse("invalid", `${path}/${name} cannot be used: ${problem}`);
        const place = { agent, folder, name };
        const stored = (await store.read((reads) => reads.personalFiles.find(place)))?.content ?? null;
        const put: FoundFile["put"] = () =>
          store.transact(async (writes) => {
            const current = (await writes.personalFiles.find(place))?.content ?? null;
            if (current !== stored) return refuseOverwriting([`${path}/${name}`], "in the store");
            await writes.personalFiles.put(place, text.value, { id: newId("fil"), at: systemClock.now() });
            return ok(undefined);
          });
        found.push({ path: `${path}/${name}`, text: text.value, stored, put });
      }
    }
  }
  return ok(found);
}

/** Hidden files, links and folders are no part of a context. */
function namesIn(root: string, path: string): string[] {
  const opened = openFolder(root, path.split("/"));
  if (!opened.ok) return [];
  using folder = opened.value;
  return visibleFiles(folder).map(({ name }) => name);
}

async function documentFiles(
  target: StoredContexts,
  { folder: root }: ContextRequest,
): Promise<Result<FoundFile[], Refusal>> {
  const found: FoundFile[] = [];
  for (const { folder, documents } of await target.documents()) {
    const opened = openFolder(root, folder.split("/"));
    if (!opened.ok) continue;
    using files = opened.value;
    for (const { file } of listDocuments(files)) {
      const text = await readInside(files, file, { maxBytes: MAX_BYTES });
      if (!text.ok) return text;
      const stored = await documents.read(file);
      const put = () =>
        publish(target.store, documents, { file, text: text.value, before: stored.ok ? stored.value.revision : null });
      found.push({ path: `${folder}/${file}`, text: text.value, stored: stored.ok ? stored.value.content : null, put });
    }
  }
  return ok(found);
}

async function publish(
  store: Store,
  documents: ReturnType<Store["documents"]>,
  { file, text, before }: { readonly file: string; readonly text: string; readonly before: string | null },
): Promise<Result<unknown, Refusal>> {
  const staged = await documents.stage(file, text);
  if (!staged.ok) return staged;
  return store.transact(async () => staged.value.publish({ expectRevision: before }));
}
