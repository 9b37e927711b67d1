import type { OwnProposal, OwnProposals } from "../../operations/core/define.ts";
import { problem, START_OF_FILE } from "../../files/yaml/problem.ts";
import type { Clock } from "../../kernel/clock.ts";
import { refuse, type Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import { readDefinition } from "../../operations/own-proposals/check-definition.ts";
import type { ProposalDefinition } from "../../operations/own-proposals/definition.ts";

import type { DefinitionProblem } from "../../ports/definitions.ts";
import { namesIn } from "../../files/proposals/written-names.ts";
import { checkCode, fieldPlace } from "./check-code.ts";
import { codePower, type CodeFile } from "../../files/proposals/code-files.ts";
import { createCodeLoader, type LoadedCode } from "./load-code.ts";

export interface ProjectProposalParts {
  readonly projectDir: string;
  readonly clock: Pick<Clock, "sleep" | "monotonic">;
  readonly files: () => readonly CodeFile[];
  /** Returns those of the powers that a person has not allowed. */
  readonly unseen: (powers: readonly string[]) => readonly string[];
  readonly atRest: boolean;
  /** From the program around the daemon, which needs no consent for its own code. */
  readonly given: readonly ProposalDefinition[];
}

/** What became of one file. */
interface FileState extends LoadedCode {
  readonly version: string;
  readonly attempt: number;
  readonly loadedAt: number;
}

const RETRY_MS = 2_000;

/** The own proposals of one project: those of its files, and those that the program around the daemon gives. */
export function createProjectProposals(parts: ProjectProposalParts): OwnProposals {
  const { files, clock } = parts;
  const loader = createCodeLoader(parts.projectDir, clock);
  const states = new Map<string, FileState>();
  const given = readGiven(parts);
  /** The names that a file had when it could be used last. */
  const lastNames = new Map<string, readonly string[]>();
  let index = new Map(given.map((each) => [each.name, each]));
  let duplicates: readonly DefinitionProblem[] = [];
  let refreshing: Promise<void> | undefined;
  let isAskedAgain = false;

  const look = () => {
    const code = files();
    const shared = code.filter(({ isShared }) => isShared);
    const definitions = code.filter(({ isShared }) => !isShared);
    const unseen = new Set(code.length === 0 ? [] : parts.unseen(code.map(codePower)));
    const sharedUnseen = shared.filter((each) => unseen.has(codePower(each)));
    const mayRun = (each: CodeFile): boolean =>
      !parts.atRest && sharedUnseen.length === 0 && !unseen.has(codePower(each));
    return { shared, definitions, mayRun, sharedUnseen };
  };

  const load = async (code: CodeFile, shared: readonly CodeFile[]): Promise<void> => {
    const version = loader.versionOf(code, shared);
    const before = states.get(code.file);
    const isSame = before?.version === version;
    if (isSame && !(before.failed && clock.monotonic() - before.loadedAt > RETRY_MS)) return;
    const attempt = isSame ? before.attempt + 1 : 0;
    const loaded = await loader.load(code, shared, attempt);
    states.set(code.file, { ...loaded, version, attempt, loadedAt: clock.monotonic() });
  };

  const refreshOnce = async (): Promise<void> => {
    const { shared, definitions, mayRun } = look();
    for (const file of states.keys()) {
      const code = definitions.find((each) => each.file === file);
      if (code === undefined) lastNames.delete(file);
      if (code === undefined || !mayRun(code)) states.delete(file);
    }
    for (const code of definitions) if (mayRun(code)) await load(code, shared);
    loader.keepOnly(new Set([...states.values()].map(({ version }) => version)));
    const next = new Map(given.map((each) => [each.name, each]));
    const twice: DefinitionProblem[] = [];
    for (const { file, text } of definitions) {
      const { proposals = [] } = states.get(file) ?? {};
      if (proposals.length > 0) {
        lastNames.set(
          file,
          proposals.map(({ name }) => name),
        );
      }
      for (const own of proposals) {
        const other = next.get(own.name);
        if (other === undefined) next.set(own.name, own);
        else twice.push(problem(file, fieldPlace(text, own.name, "name"), takenText(own.name, other)));
      }
    }
    index = next;
    duplicates = twice;
  };

  /** One after another; whoever asks while one runs gets the result of the next. */
  const refresh = (): Promise<void> => {
    if (refreshing !== undefined) {
      isAskedAgain = true;
      return refreshing;
    }
    refreshing = (async () => {
      do {
        isAskedAgain = false;
        await refreshOnce();
      } while (isAskedAgain);
    })().finally(() => {
      refreshing = undefined;
    });
    return refreshing;
  };

  const problemsOf = (code: CodeFile, shared: readonly CodeFile[]): readonly DefinitionProblem[] => {
    const state = states.get(code.file);
    return state?.version === loader.versionOf(code, shared) ? state.problems : checkCode(code);
  };

  return {
    refresh,
    all: () => [...index.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    find(name) {
      const found = index.get(name);
      if (found !== undefined) return ok(found);
      const { definitions, shared, mayRun, sharedUnseen } = look();
      const code = definitions.find(
        ({ file, text }) =>
          lastNames.get(file)?.includes(name) === true || namesIn(text).some((each) => each.name === name),
      );
      return code === undefined
        ? undefined
        : refuseUnusable(name, mayRun(code) ? problemsOf(code, shared) : restsBecause(code, sharedUnseen));
    },
    problems() {
      const { definitions, shared, mayRun, sharedUnseen } = look();
      // Of a project at rest, everybody is told that it rests.
      if (parts.atRest) return [...definitions, ...shared].flatMap(checkCode);
      return [
        ...definitions.flatMap((code) => (mayRun(code) ? problemsOf(code, shared) : restsBecause(code, sharedUnseen))),
        ...shared.flatMap(checkCode),
        ...duplicates,
      ];
    },
  };
}

/** A mistake in the program around the daemon is a bug of that program. */
function readGiven({ given, clock, projectDir }: ProjectProposalParts): readonly OwnProposal[] {
  return given.map((definition) => {
    const read = readDefinition(definition, null, { clock, projectDir, placeOf: () => undefined });
    if ("made" in read) return read.made;
    throw new TypeError(`The proposal "${definition.name}" cannot be used. ${read.mistake.message}`);
  });
}

function takenText(name: string, { file }: OwnProposal): string {
  return `"${name}" is the name of a proposal ${file === null ? "of the program that runs the daemon" : `in ${file}`} already.`;
}

const TRUST_HINT = "See it, and allow it: agent-worker trust";

/** Why a file is not used that nobody allowed. Its mistakes come first: nobody needs to allow it before they are mended. */
function restsBecause(code: CodeFile, sharedUnseen: readonly CodeFile[]): readonly DefinitionProblem[] {
  const mistakes = checkCode(code);
  return mistakes.length > 0 ? mistakes : [restsProblem(code, sharedUnseen)];
}

function restsProblem({ file }: CodeFile, [shared]: readonly CodeFile[]): DefinitionProblem {
  const what = shared === undefined ? "its code" : `${shared.file}, which it may use,`;
  const message = `It is not used, because ${what} is new or has changed and you have not allowed it yet.`;
  return problem(file, START_OF_FILE, message, { severity: "warning", hint: TRUST_HINT });
}

function refuseUnusable(name: string, [first]: readonly DefinitionProblem[]): Result<never, Refusal> | undefined {
  if (first === undefined) return undefined;
  const { file, line, severity, message, hint } = first;
  const isUnseen = severity === "warning";
  return refuse(isUnseen ? "untrusted" : "failed", `"${name}" cannot be used. ${file}:${line}: ${message}`, {
    hint: hint ?? (isUnseen ? TRUST_HINT : "Mend the file: it is read again at the next call."),
  });
}
