import { MAX_DOCUMENT_BYTES } from "../../domain/workspace/document-size.ts";
import { refuse } from "../../kernel/refusal.ts";
import type { Refusal } from "../../kernel/refusal.ts";
import type { FileEffect, StagedChange } from "../../kernel/file-effect.ts";
import { ok } from "../../kernel/result.ts";
import type { Result } from "../../kernel/result.ts";
import type { Document, DocumentInfo, Documents, StagedDocument } from "../../ports/documents.ts";
import { stageFile, stageLasting, sweepStaged } from "../atomic-write.ts";
import type { StagedFile } from "../atomic-write.ts";
import { openFolder } from "../confined-folder.ts";
import type { Folder } from "../confined-folder.ts";
import { checkFileName, readInside, refuseSize } from "../confined-path.ts";
import { findCaseCollision } from "./case-collision.ts";
import { listDocuments } from "./list-documents.ts";
import { listEarlier, readRevision } from "./document-history.ts";
import { PREVIOUS } from "./previous-folder.ts";
import { publishDocument } from "./publish-document.ts";
import { revisionOf } from "./revision.ts";

/**
 * Documents as plain files in a folder, so that people can read and edit them with any program. The first write creates
 * the folder.
 */
export interface FileDocumentsOptions {
  /** Trusted folder, usually the project or the folder that a workflow is bound to. No link below it is followed. */
  readonly root: string;
  /** Folder of the documents, relative to the root: `.workspace/review/main/documents`. */
  readonly dir: string;
  /** Absent: nothing is removed because of its age. */
  readonly now?: () => number;
}

/** How many names a refusal of an unknown document lists. */
const MAX_NAMES = 20;

export function createFileDocuments({ root, dir, now }: FileDocumentsOptions): Result<Documents, Refusal> {
  const checked = checkFileName(dir.replace(/^(\.\/)+/, "").replace(/\/+$/, ""), { hidden: true });
  if (!checked.ok) return checked;
  const segments = checked.value.split("/");
  let swept = false;

  const openBase = (create: boolean): Result<Folder, Refusal> => {
    const base = openFolder(root, segments, { create });
    if (base.ok && !swept) {
      swept = true;
      sweep(base.value, now?.());
    }
    return base;
  };

  return ok({
    list: async () => {
      const base = openBase(false);
      if (!base.ok) return [];
      using folder = base.value;
      return listDocuments(folder);
    },
    read: async (file) => await readFrom(openBase(false), file, []),
    readPrevious: async (file) => await readFrom(openBase(false), file, [PREVIOUS]),
    history: async (file) => {
      const current = await readFrom(openBase(false), file, []);
      if (!current.ok) return current;
      const base = openBase(false);
      if (!base.ok) return ok([]);
      using folder = base.value;
      return ok(await listEarlier(folder, file.normalize("NFC")));
    },
    readRevision: async (file, revision) => {
      const current = await readFrom(openBase(false), file, []);
      if (!current.ok || current.value.revision === revision) return current;
      const base = openBase(false);
      if (!base.ok) return base;
      using folder = base.value;
      const earlier = await readRevision(folder, file.normalize("NFC"), revision);
      return earlier === undefined ? refuseRevision(file, revision) : ok(earlier);
    },
    stage: async (file, content, effect) => {
      const name = checkFileName(file);
      if (!name.ok) return name;
      if (!content.isWellFormed())
        return refuse("invalid", `the new content of "${name.value}" is not well-formed text`);
      if (Buffer.byteLength(content) > MAX_DOCUMENT_BYTES) return refuseSize(name.value, MAX_DOCUMENT_BYTES);
      const base = openBase(true);
      if (!base.ok) return base;
      const place = { root, folder: segments, file: name.value };
      return ok(await stageDocument(base.value, place, content, effect));
    },
  });
}

/** Reads `file` below `subfolder`, which is `.previous` for the previous revision. Closes the folder. */
async function readFrom(
  base: Result<Folder, Refusal>,
  file: string,
  subfolder: readonly string[],
): Promise<Result<Document, Refusal>> {
  if (!base.ok && base.error.code !== "not_found") return base;
  using folder = base.ok ? base.value : undefined;
  const name = checkFileName(file);
  if (!name.ok) return name;
  if (folder === undefined) return refuseUnknown(name.value, []);
  if (findCaseCollision(folder, name.value) !== undefined) return refuseUnknown(name.value, listDocuments(folder));
  const path = [...subfolder, name.value].join("/");
  const content = await readInside(folder, path, { maxBytes: MAX_DOCUMENT_BYTES }, { hidden: true });
  if (content.ok) return ok({ content: content.value, revision: revisionOf(content.value) });
  return content.error.code === "not_found" ? refuseUnknown(name.value, listDocuments(folder)) : content;
}

/** The folder stays open until the document is published or discarded. */
async function stageDocument(
  folder: Folder,
  place: Omit<StagedChange, "staged">,
  content: string,
  effect: FileEffect<string> | undefined,
): Promise<StagedDocument> {
  const { file } = place;
  const revision = revisionOf(content);
  let settled = false;
  const settle = (): void => {
    settled = true;
    staged.discard();
    folder[Symbol.dispose]();
  };
  const stage = async (): Promise<StagedFile> => {
    if (effect === undefined) return await stageFile(folder.at("."), content, file);
    const lasting = await stageLasting(folder.at("."), content, effect.id, file);
    await effect.begin({ ...place, staged: lasting.name }, revision);
    return lasting;
  };
  const staged = await stage().catch((error: unknown) => {
    folder[Symbol.dispose]();
    throw error;
  });
  return {
    revision,
    publish: (terms = {}) => {
      if (settled) throw new Error(`"${file}" was published or discarded before`);
      try {
        return publishDocument({ folder, file, revision, staged }, terms);
      } finally {
        settle();
      }
    },
    discard: () => {
      if (!settled) settle();
    },
  };
}

function sweep(base: Folder, nowMs: number | undefined): void {
  sweepStaged(base.at("."), nowMs);
  const previous = openFolder(base, [PREVIOUS]);
  if (!previous.ok) return;
  using folder = previous.value;
  sweepStaged(folder.at("."));
}

function refuseRevision(file: string, revision: string): Result<never, Refusal> {
  return refuse("not_found", `"${file}" has no revision ${revision.slice(0, 64)} that is kept`, {
    hint: "list its history again",
  });
}

function refuseUnknown(
  file: string,
  documents: readonly DocumentInfo[],
): { readonly ok: false; readonly error: Refusal } {
  const names = documents.slice(0, MAX_NAMES).map((document) => document.file);
  const more = documents.length > names.length ? ", ..." : "";
  return refuse("not_found", `there is no document "${file}"`, {
    hint: names.length === 0 ? "there are no documents yet" : `there are: ${names.join(", ")}${more}`,
    details: { documents: names },
  });
}
