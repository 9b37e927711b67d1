import type { OwnProposal } from "../../operations/core/define.ts";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { problem, START_OF_FILE } from "../../files/yaml/problem.ts";
import type { Clock } from "../../kernel/clock.ts";
import { runProjectCode } from "../../kernel/project-code.ts";
import { readDefinition } from "../../operations/own-proposals/check-definition.ts";
import { isDefinition } from "../../operations/own-proposals/definition.ts";

import { withinTime } from "../../operations/own-proposals/within-time.ts";
import type { DefinitionProblem } from "../../ports/definitions.ts";
import { placeIn } from "../../files/proposals/written-names.ts";
import { fieldPlace, placeInStack } from "./check-code.ts";
import { PROPOSALS_FOLDER, type CodeFile } from "../../files/proposals/code-files.ts";
import { forgetCode, importCode } from "./import-code.ts";

export interface LoadedCode {
  readonly proposals: readonly OwnProposal[];
  readonly problems: readonly DefinitionProblem[];
  /** The import itself failed, perhaps because of something outside of these files. */
  readonly failed: boolean;
}

export interface CodeLoader {
  /** Names a file with what it shares. Equal when both are unchanged. */
  versionOf(code: CodeFile, shared: readonly CodeFile[]): string;
  /** Imports a file and makes proposals of what it exports. Never rejects. `attempt` makes another module of it. */
  load(code: CodeFile, shared: readonly CodeFile[], attempt: number): Promise<LoadedCode>;
  /** Lets go of the texts of all other versions. */
  keepOnly(versions: ReadonlySet<string>): void;
}

const IMPORT_MS = 10_000;

export function createCodeLoader(projectDir: string, clock: Pick<Clock, "sleep">): CodeLoader {
  const folder = `${pathToFileURL(join(projectDir, PROPOSALS_FOLDER)).href}/`;
  const urlOf = (file: string): string => pathToFileURL(join(projectDir, file)).href;

  /** Returns the innermost place in code of the project that an error comes from. */
  const findPlace = (error: unknown): { readonly file: string; readonly line: number } | undefined => {
    const stack = error instanceof Error ? (error.stack ?? "") : "";
    const start = stack.indexOf(folder);
    const found = start === -1 ? null : /^([^?\s]+)\?[^:\s]*:(\d+)/.exec(stack.slice(start + folder.length));
    const [, name, line] = found ?? [];
    return name === undefined ? undefined : { file: `${PROPOSALS_FOLDER}/${name}`, line: Number(line) };
  };
  const placeOf = (error: unknown): string | undefined => {
    const found = findPlace(error);
    return found === undefined ? undefined : `${found.file}:${found.line}`;
  };

  const versionOf: CodeLoader["versionOf"] = (code, shared) =>
    createHash("sha256")
      .update([code, ...shared].map(({ file, digest }) => `${file} ${digest}`).join("\n"))
      .digest("hex")
      .slice(0, 16);

  return {
    versionOf,
    async load(code, shared, attempt) {
      const files = [code, ...shared].map(({ file, text }) => ({ url: urlOf(file), text }));
      const version = attempt === 0 ? versionOf(code, shared) : `${versionOf(code, shared)}.${attempt}`;
      try {
        const imported = await withinTime(clock, IMPORT_MS, () =>
          runProjectCode(() => importCode(urlOf(code.file), version, files, folder)),
        );
        if (imported === "over") {
          const message = `It was not loaded within ${IMPORT_MS / 1000} s, so it is not used.`;
          return failed(problem(code.file, START_OF_FILE, message));
        }
        return { ...readExports(imported.value, code, { clock, projectDir, placeOf }), failed: false };
      } catch (error) {
        return failed(importProblem(error, code, shared, findPlace(error)));
      }
    },
    keepOnly: (versions) => forgetCode(folder, (version) => versions.has(version.replace(/\..*$/, ""))),
  };
}

function failed(found: DefinitionProblem): LoadedCode {
  return { proposals: [], problems: [found], failed: true };
}

function readExports(
  exported: Readonly<Record<string, unknown>>,
  { file, text }: CodeFile,
  parts: Parameters<typeof readDefinition>[2],
): Pick<LoadedCode, "proposals" | "problems"> {
  const definitions = [...new Set(Object.values(exported))].filter(isDefinition);
  if (definitions.length === 0) {
    const hint = "Export what defineProposal returns. Code that several files share belongs in a folder below.";
    return { proposals: [], problems: [problem(file, START_OF_FILE, "It exports no proposal.", { hint })] };
  }
  const read = definitions.map((definition) => ({ definition, result: readDefinition(definition, file, parts) }));
  return {
    proposals: read.flatMap(({ result }) => ("made" in result ? [result.made] : [])),
    problems: read.flatMap(({ definition, result }) => {
      if ("made" in result) return [];
      const { field, message, hint } = result.mistake;
      const place = fieldPlace(text, definition.name, field);
      return [problem(file, place, message, hint === undefined ? {} : { hint })];
    }),
  };
}

function importProblem(
  error: unknown,
  code: CodeFile,
  shared: readonly CodeFile[],
  found: { readonly file: string; readonly line: number } | undefined,
): DefinitionProblem {
  const written = error instanceof Error ? error.message.trim() : String(error);
  // Messages of Node name the address of the module, with our mark for the version.
  const message = written.replaceAll(/file:\/\/\/\S*?([^/\s?]+)\?v=[\w.]+/g, "$1").split("\n")[0] ?? "";
  const file = found?.file ?? code.file;
  const text = [code, ...shared].find((each) => each.file === file)?.text ?? "";
  const { column } = error instanceof SyntaxError ? placeInStack(error) : { column: 1 };
  return problem(file, placeIn(text, { line: found?.line ?? 1, column }), `It cannot be loaded: ${message}`);
}
