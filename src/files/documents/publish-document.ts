import { lstatSync, readFileSync, renameSync, rmSync } from "node:fs";
import { MAX_DOCUMENT_BYTES } from "../../domain/workspace/document-size.ts";
import { Fault } from "../../kernel/fault.ts";
import { refuse } from "../../kernel/refusal.ts";
import type { Refusal } from "../../kernel/refusal.ts";
import { ok } from "../../kernel/result.ts";
import type { Result } from "../../kernel/result.ts";
import type { PublishTerms } from "../../ports/documents.ts";
import { temporaryName } from "../atomic-write.ts";
import type { StagedFile } from "../atomic-write.ts";
import { fileModeIn, openFolder } from "../confined-folder.ts";
import type { Folder } from "../confined-folder.ts";
import { openInside } from "../confined-path.ts";
import type { OpenedFile } from "../confined-path.ts";
import { errnoOf, fileFault } from "../file-fault.ts";
import { findCaseCollision } from "./case-collision.ts";
import { linkOrCopy } from "./link-or-copy.ts";
import { keepEarlier } from "./document-history.ts";
import { PREVIOUS } from "./previous-folder.ts";
import { revisionOf } from "./revision.ts";

/**
 * Publishes staged content under its name. Synchronous, so that no other caller of this process can interfere. The old
 * content is linked into `.previous/` before it is replaced: neither text is lost in a crash, and a change by another
 * program since the check is detected.
 */
export interface ReadyDocument {
  readonly folder: Folder;
  readonly file: string;
  readonly revision: string;
  readonly staged: StagedFile;
}

export function publishDocument(
  { folder: base, file, revision, staged }: ReadyDocument,
  terms: PublishTerms,
): Result<{ readonly revision: string }, Refusal> {
  const existing = findCaseCollision(base, file);
  if (existing !== undefined) {
    return refuse("conflict", `"${file}" and the existing "${existing}" would be one file on some systems`, {
      hint: `write to "${existing}", or choose another name`,
      details: { existing },
    });
  }
  const found = openCurrent(base, file);
  if (!found.ok) return found;
  using current = found.value;
  const before = current === null ? null : revisionIn(current, file);
  if (terms.mustNotExist === true && before !== null) {
    return refuse("conflict", `there is a document "${file}" already`, { hint: "write to it, or choose another name" });
  }
  if (terms.expectRevision !== undefined && terms.expectRevision !== before) {
    const expected = terms.expectRevision === null ? "missing" : `at revision ${terms.expectRevision.slice(0, 64)}`;
    return refuse("stale_revision", `"${file}" is no longer ${expected}`, {
      hint: "read it again and apply your change to what is there now",
      details: { revision: before },
    });
  }
  if (before === revision) return ok({ revision });

  try {
    const published = replace(base, file, current, staged);
    if (published.ok) return ok({ revision });
    return published.error.code === "not_found" ? refuseRace(file) : published;
  } catch (error) {
    if (error instanceof Fault && errnoOf(error.cause) === "ENOENT") return refuseRace(file);
    throw error;
  }
}

/** `not_found`, as a refusal or as a fault, means that a file or folder was removed after the check. */
function replace(base: Folder, file: string, current: OpenedFile | null, staged: StagedFile): Result<void, Refusal> {
  const segments = file.split("/");
  const last = segments.pop() ?? "";
  const opened = openFolder(base, segments, { create: true });
  if (!opened.ok) return opened;
  using folder = opened.value;
  const write = (): Result<void, Refusal> => {
    if (!folder.unmoved()) return refuse("forbidden", `the folder of "${file}" was replaced`);
    const options = { exclusive: current === null, label: file, mode: fileModeIn(folder) };
    const outcome = staged.publish(folder.at(last), options);
    return outcome === "written" ? ok(undefined) : refuseRace(file);
  };
  if (current === null) return write();

  const openedRoot = openFolder(base, [PREVIOUS], { create: true });
  if (!openedRoot.ok) return openedRoot;
  using previousRoot = openedRoot.value;
  const openedPrevious = openFolder(previousRoot, segments, { create: true });
  if (!openedPrevious.ok) return openedPrevious;
  using previous = openedPrevious.value;
  if (lstatSync(previous.at(last), { throwIfNoEntry: false })?.isDirectory() === true) {
    return refuse("conflict", `the previous revision has no place: "${PREVIOUS}/${file}" is a folder`, {
      hint: "move it away by hand",
    });
  }
  const backup = previousRoot.at(temporaryName());
  try {
    if (!linkOrCopy(current, folder.at(last), backup)) return refuseRace(file);
    const written = write();
    if (written.ok) {
      keepEarlier(base, file, previous.at(last));
      replacePrevious(backup, previous.at(last));
    }
    return written;
  } catch (error) {
    throw fileFault("write", file, error);
  } finally {
    rmSync(backup, { force: true });
  }
}

function refuseRace(file: string): { readonly ok: false; readonly error: Refusal } {
  return refuse("conflict", `"${file}" was created, replaced or removed by another program at this moment`, {
    hint: "read it again and apply your change to what is there now",
  });
}

/** Null when there is no such document. */
function openCurrent(base: Folder, file: string): Result<OpenedFile | null, Refusal> {
  const opened = openInside(base, file);
  return opened.ok || opened.error.code !== "not_found" ? opened : ok(null);
}

/** "" when the file is too large for a document. */
function revisionIn(current: OpenedFile, file: string): string {
  if (current.size > MAX_DOCUMENT_BYTES) return "";
  try {
    return revisionOf(readFileSync(current.fd));
  } catch (error) {
    throw fileFault("read", file, error);
  }
}

/** Ignores file errors, because the new content is already published. Then an older revision stays. */
function replacePrevious(backup: string, path: string): void {
  try {
    renameSync(backup, path);
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
  }
}
