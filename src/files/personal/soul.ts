import { readFileSync } from "node:fs";
import { join } from "node:path";
import { NO_STATE } from "../../domain/soul/soul-history.ts";
import { refuse } from "../../kernel/refusal.ts";
import { ok } from "../../kernel/result.ts";
import type { SoulFile, SoulReading } from "../../ports/soul-file.ts";
import { stageFile, sweepStaged } from "../atomic-write.ts";
import { openFolder } from "../confined-folder.ts";
import { openInside, refuseSize } from "../confined-path.ts";
import { fileFault } from "../file-fault.ts";
import { stampAt } from "../file-stamp.ts";
import { formatSoulFile, parseSoulFile } from "./soul-text.ts";

/**
 * `soul.yaml` in the folder of an agent. It is needed for every prompt, so an unchanged file costs one `lstat`. Our own
 * writes do not fill the cache: the file is always checked, so that an edit by hand applies at once.
 */
export const SOUL_FILE = "soul.yaml";
export const MAX_SOUL_BYTES = 256 * 1024;

const NOTHING: SoulReading = { state: NO_STATE, problem: null, mistake: null };

export function createSoulFile(root: string, segments: readonly string[]): SoulFile {
  const path = join(root, ...segments, SOUL_FILE);
  let cached: { readonly stamp: string; readonly text: string | null; readonly reading: SoulReading } = {
    stamp: "",
    text: null,
    reading: NOTHING,
  };

  const readCurrent = (): typeof cached => {
    const stamp = stampAt(path);
    if (stamp === cached.stamp) return cached;
    const text = stamp === "" ? ok(null) : readText(root, segments);
    if (!text.ok) cached = { stamp, text: null, reading: unreadable(text.error.message) };
    else if (text.value === null) cached = { stamp, text: null, reading: NOTHING };
    else cached = { stamp, text: text.value, reading: parseSoulFile(SOUL_FILE, text.value) };
    return cached;
  };

  return {
    read: () => readCurrent().reading,
    refresh: async () => {},
    stage: async (next) => {
      const { stamp, text, reading } = readCurrent();
      if (reading.problem !== null) {
        return refuse("conflict", `The file cannot be used: ${reading.problem}`, {
          hint: `Correct ${[...segments, SOUL_FILE].join("/")}, or move it away.`,
        });
      }
      const state = next(reading.state);
      if (!state.ok) return state;
      const written = formatSoulFile(text, state.value);
      if (Buffer.byteLength(written) > MAX_SOUL_BYTES) return refuseSize(SOUL_FILE, MAX_SOUL_BYTES);
      const opened = openFolder(root, segments, { create: true });
      if (!opened.ok) return opened;
      const folder = opened.value;
      sweepStaged(folder.at("."));
      const staged = await stageFile(folder.at("."), written, SOUL_FILE).catch((error: unknown) => {
        folder[Symbol.dispose]();
        throw error;
      });
      const discard = (): void => {
        staged.discard();
        folder[Symbol.dispose]();
      };
      return ok({
        state: state.value,
        publish: () => {
          try {
            if (stampAt(folder.at(SOUL_FILE)) !== stamp || !folder.unmoved()) return refuseStale();
            const outcome = staged.publish(folder.at(SOUL_FILE), { exclusive: stamp === "", label: SOUL_FILE });
            return outcome === "written" ? ok(undefined) : refuseStale();
          } finally {
            discard();
          }
        },
        discard,
      });
    },
  };
}

function unreadable(message: string): SoulReading {
  return { state: NO_STATE, problem: message, mistake: { line: 1, message } };
}

function refuseStale() {
  return refuse("stale_revision", `${SOUL_FILE} was changed by another program at this moment.`, {
    hint: "Try again.",
  });
}

function readText(root: string, segments: readonly string[]) {
  const opened = openFolder(root, segments);
  if (!opened.ok) return opened.error.code === "not_found" ? ok(null) : opened;
  using folder = opened.value;
  const found = openInside(folder.at("."), SOUL_FILE);
  if (!found.ok) return found.error.code === "not_found" ? ok(null) : found;
  using file = found.value;
  if (file.size > MAX_SOUL_BYTES) return refuseSize(SOUL_FILE, MAX_SOUL_BYTES);
  try {
    return ok(readFileSync(file.fd, "utf8"));
  } catch (error) {
    throw fileFault("read", SOUL_FILE, error);
  }
}
