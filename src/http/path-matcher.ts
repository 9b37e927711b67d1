/**
 * Finds the row of a table by method and path. A row without parameters is preferred. Of two rows with parameters, the
 * one with a literal at the first segment where they differ is preferred.
 */
export interface PathMatcher<Row> {
  find(method: string, path: string): PathMatch<Row> | undefined;
  /** The methods of a path; empty when there is no such path. */
  methods(path: string): readonly string[];
}

export interface PathMatch<Row> {
  readonly row: Row;
  readonly params: Readonly<Record<string, string>>;
}

interface Located {
  readonly method: string;
  readonly path: string;
}

interface Pattern<Row> {
  readonly row: Row;
  readonly parts: readonly string[];
}

export const NO_PARAMS: PathMatch<unknown>["params"] = {};

export function createPathMatcher<Row extends Located>(rows: readonly Row[]): PathMatcher<Row> {
  const whole = new Map<string, Row>();
  const patterns = new Map<string, Pattern<Row>[]>();
  const methods = [...new Set(rows.map(({ method }) => method))];
  for (const row of rows) {
    if (!row.path.includes("/:")) {
      whole.set(`${row.method} ${row.path}`, row);
      continue;
    }
    const parts = row.path.split("/");
    const key = `${row.method} ${parts.length}`;
    patterns.set(key, [...(patterns.get(key) ?? []), { row, parts }].toSorted(literalsFirst));
  }

  const find = (method: string, path: string): PathMatch<Row> | undefined => {
    const row = whole.get(`${method} ${path}`);
    if (row !== undefined) return { row, params: NO_PARAMS };
    const segments = path.split("/");
    const pattern = patterns.get(`${method} ${segments.length}`)?.find(({ parts }) => matches(parts, segments));
    return pattern === undefined ? undefined : { row: pattern.row, params: paramsOf(pattern.parts, segments) };
  };

  return { find, methods: (path) => methods.filter((method) => find(method, path) !== undefined) };
}

function matches(parts: readonly string[], segments: readonly string[]): boolean {
  return parts.every((part, i) => (part.startsWith(":") ? segments[i] !== "" : part === segments[i]));
}

/** Still percent-encoded. */
function paramsOf(parts: readonly string[], segments: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    parts.flatMap((part, i) => (part.startsWith(":") ? [[part.slice(1), segments[i] ?? ""]] : [])),
  );
}

function literalsFirst(a: Pattern<unknown>, b: Pattern<unknown>): number {
  for (const [i, part] of a.parts.entries()) {
    const isParam = part.startsWith(":");
    if (isParam !== (b.parts[i] ?? "").startsWith(":")) return isParam ? 1 : -1;
  }
  return 0;
}
