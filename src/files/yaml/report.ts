import type { Refusal } from "../../kernel/refusal.ts";
import type { DefinitionProblem } from "../../ports/definitions.ts";
import type { YamlSource } from "./parse-yaml.ts";
import { problem } from "./problem.ts";
import type { Place, YamlPath } from "./problem.ts";

/** Collects the problems of one file. Paths are relative to `base`, for a definition written inside another file. */
export interface Report {
  readonly file: string;
  readonly problems: readonly DefinitionProblem[];
  /** True once an error (not a warning) was reported. */
  failed(): boolean;
  error(path: YamlPath, message: string, more?: Remark): void;
  warn(path: YamlPath, message: string, more?: Remark): void;
  /** Reports an error with the message and hint of a refusal. */
  refused(path: YamlPath, refusal: Refusal, part?: "key" | "value"): void;
  /** The same for a refusal about a place inside a text, if its details contain `line` and `column`. */
  refusedInText(path: YamlPath, refusal: Refusal): void;
  place(path: YamlPath, part?: "key" | "value"): Place;
  /** Names of the tools that the own proposals of the project are. Reads their files. */
  ownTools(): readonly string[];
}

export interface Remark {
  readonly hint?: string | undefined;
  /** Point at the value (default) or at its key. */
  readonly part?: "key" | "value";
}

export function createReport(source: YamlSource, base: YamlPath = [], ownTools: Report["ownTools"] = () => []): Report {
  const problems: DefinitionProblem[] = [];
  const place = (path: YamlPath, part: "key" | "value" = "value"): Place => source.place([...base, ...path], part);
  const add = (severity: "error" | "warning", path: YamlPath, message: string, { hint, part }: Remark = {}): void => {
    const more = { severity, path: [...base, ...path], ...(hint === undefined ? {} : { hint }) };
    problems.push(problem(source.file, place(path, part), message, more));
  };
  const refusedInText = (path: YamlPath, { message, hint, details }: Refusal): void => {
    const [line, column] = [details?.["line"], details?.["column"]];
    const full = [...base, ...path];
    const inside = typeof line === "number" && typeof column === "number";
    const at = inside ? source.placeInText(full, line, column) : place(path);
    problems.push(problem(source.file, at, message, { path: full, ...(hint === undefined ? {} : { hint }) }));
  };
  return {
    file: source.file,
    problems,
    refusedInText,
    place,
    ownTools,
    failed: () => problems.some((found) => found.severity === "error"),
    error: (path, message, more) => add("error", path, message, more),
    warn: (path, message, more) => add("warning", path, message, more),
    refused: (path, refusal, part = "value") => add("error", path, refusal.message, { hint: refusal.hint, part }),
  };
}
