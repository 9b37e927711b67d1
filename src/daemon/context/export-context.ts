import { dirname, basename } from "node:path";
import { writeFileAtomic } from "../../files/atomic-write.ts";
import { openFolder } from "../../files/confined-folder.ts";
import { readInside } from "../../files/confined-path.ts";
import { refuse, type Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import { openStoredContexts, refuseOverwriting } from "./stored-contexts.ts";
import type { ContextReport, ContextRequest, StoredContexts } from "./stored-contexts.ts";

/** A text of the store, and the path it has as a file. */
interface StoredText {
  readonly path: string;
  read(): Promise<string>;
}

const MAX_BYTES = 64 * 1024 * 1024;
const PROGRESS_EVERY = 100;

/**
 * Writes the personal contexts, and the documents that are in the store, as files. Everything is compared before anything
 * is written. A file that has the text already is left alone, so an export that was interrupted is repeated.
 */
export async function exportContext(request: ContextRequest): Promise<Result<ContextReport, Refusal>> {
  const { folder, overwrite, onProgress } = request;
  const opened = await openStoredContexts(request, (canHoldSome) => (canHoldSome() ? undefined : refuseNone()));
  if (!opened.ok) return opened;
  await using source = opened.value;
  const texts = await storedTexts(source, request.agents);
  if (texts.length === 0 && source.project.settings.context.provider === "file") {
    return refuseNone();
  }
  const changed: StoredText[] = [];
  const different: string[] = [];
  for (const text of texts) {
    const existing = await readInside(folder, text.path, { maxBytes: MAX_BYTES }, { hidden: true });
    if (!existing.ok && existing.error.code !== "not_found") return existing;
    if (existing.ok && existing.value === (await text.read())) continue;
    if (existing.ok) different.push(text.path);
    changed.push(text);
  }
  if (different.length > 0 && !overwrite) return refuseOverwriting(different, "on disk");
  for (const [done, text] of changed.entries()) {
    const written = await writeText(folder, text);
    if (!written.ok) return written;
    if (done % PROGRESS_EVERY === PROGRESS_EVERY - 1) onProgress(`${done + 1} of ${changed.length} files`);
  }
  return ok({ written: changed.length, same: texts.length - changed.length });
}

function refuseNone() {
  return refuse(
    "conflict",
    "There is nothing to do: the personal contexts are files already, and the store has none.",
    {
      hint: "They are in the folders of the agents: .agents/NAME/",
    },
  );
}

async function storedTexts(source: StoredContexts, agents: readonly string[]): Promise<StoredText[]> {
  const { store, folderOf } = source;
  const rows = await store.read(({ personalFiles }) => personalFiles.all());
  const personal = rows
    .filter(({ agent }) => agents.length === 0 || agents.includes(agent))
    .map((row): StoredText => {
      const path = [folderOf(row.agent), row.folder, row.name].filter((part) => part !== "").join("/");
      const read = async () => (await store.read(({ personalFiles }) => personalFiles.find(row)))?.content ?? "";
      return { path, read };
    });
  const written: StoredText[] = [];
  for (const { folder, documents } of await source.documents()) {
    for (const { file } of await documents.list()) {
      const read = async () => {
        const document = await documents.read(file);
        return document.ok ? document.value.content : "";
      };
      written.push({ path: `${folder}/${file}`, read });
    }
  }
  return [...personal, ...written];
}

async function writeText(root: string, { path, read }: StoredText): Promise<Result<void, Refusal>> {
  const opened = openFolder(root, dirname(path).split("/"), { create: true });
  if (!opened.ok) return opened;
  using folder = opened.value;
  await writeFileAtomic(folder.at(basename(path)), await read(), { label: path });
  return ok(undefined);
}
