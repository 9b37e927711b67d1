import { constants, copyFileSync, linkSync, lstatSync, readFileSync, renameSync, rmSync } from "node:fs";
import { ok } from "../../kernel/result.ts";
import type { Result } from "../../kernel/result.ts";
import { refuse } from "../../kernel/refusal.ts";
import type { Refusal } from "../../kernel/refusal.ts";
import { MAX_DOCUMENT_BYTES } from "../../ports/documents.ts";
import type { PublishTerms } from "../../ports/documents.ts";
import { temporaryName } from "../atomic-write.ts";
import type { StagedFile } from "../atomic-write.ts";
import { openFolder } from "../confined-folder.ts";
import type { Folder } from "../confined-folder.ts";
import { openInside } from "../confined-path.ts";
import { errnoOf, fileFault } from "../file-fault.ts";
import { findNamesake } from "./namesake.ts";
import { revisionOf } from "./revision.ts";

/**
 * Gives staged content its name. Everything happens in one tick, so that the state that was checked is the state that
 * is replaced. The old content gets its second name in `.previous/` before it loses the first: at no moment of a crash
 * is either text gone.
 */
export interface ReadyDocument {
  readonly folder: Folder;
  readonly file: string;
  readonly revision: string;
  readonly staged: StagedFile;
}

export const PREVIOUS = ".previous";

type Published = Result<{ readonly revision: string }, Refusal>;

export function publishDocument(
  { folder: base, file, revision, staged }: ReadyDocument,
  terms: PublishTerms,
): Published {
  const namesake = findNamesake(base, file);
  if (namesake !== undefined) {
    return refuse("conflict", `"${file}" and the existing "${namesake}" would be one file on some systems`, {
      hint: `write to "${namesake}", or choose another name`,
      details: { existing: namesake },
    });
  }
  const current = currentRevision(base, file);
  if (!current.ok) return current;
  if (terms.mustNotExist === true && current.value !== null) {
    return refuse("conflict", `there is a document "${file}" already`, { hint: "write to it, or choose another name" });
  }
  if (terms.expectRevision !== undefined && terms.expectRevision !== current.value) {
    const before = terms.expectRevision === null ? "missing" : `at revision ${terms.expectRevision.slice(0, 64)}`;
    return refuse("stale_revision", `"${file}" is no longer ${before}`, {
      hint: "read it again and apply your change to what is there now",
      details: { revision: current.value },
    });
  }
  if (current.value === revision) return ok({ revision });

  const segments = file.split("/");
  const last = segments.pop() ?? "";
  const opened = openFolder(base.at("."), segments, { create: true });
  if (!opened.ok) return opened;
  using folder = opened.value;
  const write = (): Published => {
    if (!folder.unmoved()) return refuse("forbidden", `the folder of "${file}" was replaced`);
    if (staged.publish(folder.at(last), { exclusive: current.value === null, label: file }) === "written") {
      return ok({ revision });
    }
    return refuse("conflict", `"${file}" was created by another program at this moment`, { hint: "read it first" });
  };
  return current.value === null ? write() : keepingPrevious(base, segments, folder.at(last), last, write);
}

/** Null when there is no such document; "" when its content is beyond what a document may be. */
function currentRevision(base: Folder, file: string): Result<string | null, Refusal> {
  const opened = openInside(base.at("."), file);
  if (!opened.ok) return opened.error.code === "not_found" ? ok(null) : opened;
  using current = opened.value;
  if (current.size > MAX_DOCUMENT_BYTES) return ok("");
  try {
    return ok(revisionOf(readFileSync(current.fd)));
  } catch (error) {
    throw fileFault("read", file, error);
  }
}

function keepingPrevious(
  base: Folder,
  segments: readonly string[],
  current: string,
  last: string,
  write: () => Published,
): Published {
  const shelf = openFolder(base.at("."), [PREVIOUS], { create: true });
  if (!shelf.ok) return shelf;
  using keep = shelf.value;
  const place = openFolder(keep.at("."), segments, { create: true });
  if (!place.ok) return place;
  using previous = place.value;
  if (lstatSync(previous.at(last), { throwIfNoEntry: false })?.isDirectory() === true) {
    const name = [PREVIOUS, ...segments, last].join("/");
    return refuse("conflict", `the previous revision has no place: "${name}" is a folder`, {
      hint: "move it away by hand",
    });
  }
  const kept = keep.at(temporaryName());
  try {
    secondName(current, kept);
    const written = write();
    if (written.ok) shelve(kept, previous.at(last));
    return written;
  } catch (error) {
    throw fileFault("write", [...segments, last].join("/"), error);
  } finally {
    rmSync(kept, { force: true });
  }
}

/** The new content has its name by now: a fault here would be a lie about it. The older revision stays instead. */
function shelve(kept: string, path: string): void {
  try {
    renameSync(kept, path);
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
  }
}

function secondName(path: string, copy: string): void {
  try {
    linkSync(path, copy);
  } catch (error) {
    if (!["EPERM", "ENOTSUP", "ENOSYS", "EMLINK"].includes(errnoOf(error) ?? "")) throw error;
    copyFileSync(path, copy, constants.COPYFILE_EXCL);
  }
}
