/**
 * Finds the row of a table by method and path. Rows without parameters are looked up whole; of those with parameters,
 * one with a literal at the first place where they differ comes before one that takes anything there.
 */
export interface PathMatcher<Row> {
  find(method: string, path: string): PathMatch<Row> | undefined;
  /** What the path can be asked with; nothing when there is no such path. */
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
    const alike = patterns.get(key) ?? [];
    alike.push({ row, parts });
    patterns.set(key, alike.toSorted(literalsFirst));
  }

  const find = (method: string, path: string): PathMatch<Row> | undefined => {
    const row = whole.get(`${method} ${path}`);
    if (row !== undefined) return { row, params: NO_PARAMS };
    const given = path.split("/");
    const pattern = patterns.get(`${method} ${given.length}`)?.find(({ parts }) => fits(parts, given));
    return pattern === undefined ? undefined : { row: pattern.row, params: paramsOf(pattern.parts, given) };
  };

  return { find, methods: (path) => methods.filter((method) => find(method, path) !== undefined) };
}

function fits(parts: readonly string[], given: readonly string[]): boolean {
  return parts.every((part, i) => (part.startsWith(":") ? given[i] !== "" : part === given[i]));
}

/** Still as they were sent: percent signs and all. */
function paramsOf(parts: readonly string[], given: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    parts.flatMap((part, i) => (part.startsWith(":") ? [[part.slice(1), given[i] ?? ""]] : [])),
  );
}

function literalsFirst(a: Pattern<unknown>, b: Pattern<unknown>): number {
  for (const [i, part] of a.parts.entries()) {
    const free = part.startsWith(":");
    if (free !== (b.parts[i] ?? "").startsWith(":")) return free ? 1 : -1;
  }
  return 0;
}
