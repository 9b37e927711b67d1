import { posix } from "node:path";
import type { IFileSystem } from "just-bash";
import { z } from "zod";
import type { PathPrivacy } from "../../domain/agent/private-paths.ts";
import type { ToolOutcome } from "../../ports/tools.ts";
import { boundText } from "../shared/bounded-output.ts";
import { changedLines } from "./changed-lines.ts";
import { done, failed, localTool, type LocalTool } from "./local-tool.ts";

/** The files of an agent: the project below an overlay, or the project on the disk. */
export interface FileSpace {
  /** False when what is written is gone at the end of the run. */
  readonly lasting: boolean;
  fs(): Promise<IFileSystem>;
  /** Returns where a path written by the agent leads, or why it is refused. */
  locate(path: string): Located | { readonly refused: string };
  readonly privacy: PathPrivacy;
  /** Returns why agents may not write here; null when they may. */
  protects(project: string): string | null;
}

export interface Located {
  /** Path in `fs`. */
  readonly path: string;
  /** Relative to the project, for permissions; absolute outside the project. */
  readonly project: string;
}

const MAX_ANSWER = 48 * 1024;
const MAX_CONTENT = 1024 * 1024;
const MAX_LINES = 2_000;
const MAX_ENTRIES = 1_000;

const KEPT_FOR_RUN = "kept for this run only";
const WAYS_TO_KEEP = "What others need belongs in your answer or in a document of the team.";

const path = z.string().min(1).max(1024).describe("Relative to the working directory.");

const readInput = z.object({
  path,
  offset: z.int().positive().optional().describe("First line, from 1."),
  limit: z.int().positive().max(MAX_LINES).optional().describe(`Number of lines; ${MAX_LINES} at most.`),
});
const writeInput = z.object({ path, content: z.string().max(MAX_CONTENT) });
const listInput = z.object({ path: path.optional() });

export function fileTools(space: FileSpace): readonly LocalTool[] {
  const permission = (args: { readonly path?: string | undefined }) => {
    const located = space.locate(args.path ?? ".");
    return "refused" in located ? failed(located.refused) : { path: located.project };
  };
  const withFile = async (written: string | undefined, use: (fs: IFileSystem, at: Located) => Promise<ToolOutcome>) => {
    const located = space.locate(written ?? ".");
    if ("refused" in located) return failed(located.refused);
    const reason = space.privacy(located.project);
    if (reason !== null) return failed(`${written ?? "."} is private: ${reason}`);
    try {
      return await use(await space.fs(), located);
    } catch (error) {
      if (error instanceof Error && /^E[A-Z]{2,}\b/.test(error.message)) return failed(explain(error.message, written));
      throw error;
    }
  };

  return [
    localTool({
      name: "read_file",
      description: "Reads a text file, whole or from a line on.",
      input: readInput,
      permission,
      execute: ({ path: written, offset = 1, limit = MAX_LINES }) =>
        withFile(written, async (fs, at) => {
          if ((await fs.stat(at.path)).isDirectory) return failed(`${written} is a folder; use list_files.`);
          const text = await fs.readFile(at.path);
          if (text.includes("\0")) return failed(`${written} is not a text file.`);
          const lines = text.split("\n");
          const shown = lines.slice(offset - 1, offset - 1 + limit);
          const rest = lines.length - (offset - 1 + shown.length);
          const note = rest > 0 ? `\n[${rest} more lines; go on with offset ${offset + shown.length}]` : "";
          return done(boundText(shown.join("\n"), MAX_ANSWER) + note);
        }),
    }),
    localTool({
      name: "write_file",
      description: `Writes a text file, whole. Makes the folders it needs and replaces what was there.${
        space.lasting ? "" : ` The file is ${KEPT_FOR_RUN}: it does not reach the disk.`
      }`,
      input: writeInput,
      permission,
      shown: ({ path: written, content }) => shownWrite(space, written, content),
      needless: async ({ path: written, content }) =>
        (await textBefore(space, written)) === content
          ? done(`${written} has this content already: nothing was written.`)
          : null,
      execute: ({ path: written, content }) =>
        withFile(written, async (fs, at) => {
          const reason = space.protects(at.project);
          if (reason !== null) return failed(`${written} is not written by agents: ${reason}`);
          await fs.mkdir(posix.dirname(at.path), { recursive: true });
          await fs.writeFile(at.path, content);
          const wrote = `Wrote ${Buffer.byteLength(content)} bytes to ${written}`;
          return done(space.lasting ? `${wrote}.` : `${wrote}, ${KEPT_FOR_RUN}. ${WAYS_TO_KEEP}`);
        }),
    }),
    localTool({
      name: "list_files",
      description: "Lists a folder; names of folders end in a slash.",
      input: listInput,
      permission,
      execute: ({ path: written }) =>
        withFile(written, async (fs, at) => {
          const inside = (name: string): string => (at.project === "." ? name : `${at.project}/${name}`);
          const names = (await fs.readdir(at.path)).filter((name) => space.privacy(inside(name)) === null);
          const entries: string[] = [];
          for (const name of names.toSorted().slice(0, MAX_ENTRIES)) {
            const stats = await fs.lstat(posix.join(at.path, name)).catch(() => undefined);
            entries.push(stats?.isDirectory === true ? `${name}/` : name);
          }
          const rest = names.length - entries.length;
          return done(rest > 0 ? [...entries, `[and ${rest} more]`].join("\n") : entries.join("\n") || "(empty)");
        }),
    }),
  ];
}

/** A file that is there is shown as the lines that change; undefined when it is not there, private, or no text. */
async function shownWrite(space: FileSpace, written: string, content: string): Promise<unknown> {
  const before = await textBefore(space, written);
  if (before === undefined) return undefined;
  const { removed, added } = changedLines(before, content);
  return { path: written, old_string: removed, new_string: added };
}

async function textBefore(space: FileSpace, written: string): Promise<string | undefined> {
  const located = space.locate(written);
  if ("refused" in located || space.privacy(located.project) !== null) return undefined;
  try {
    const before = await (await space.fs()).readFile(located.path);
    return before.includes("\0") ? undefined : before;
  } catch {
    return undefined;
  }
}

function explain(message: string, written = "."): string {
  const code = /^E[A-Z]+/.exec(message)?.[0];
  if (code === "ENOENT") return `There is no ${written}.`;
  if (code === "EFBIG") return `${written} is too large to read at once; use bash with head, tail or sed.`;
  if (code === "ENOSPC") return `${written} was not written: the space for changes is used up.`;
  return `${written} cannot be used (${code ?? "failed"}).`;
}
