import { type Layer, isLayer, layers } from "./layers.ts";

/**
 * Compares the layer table of the architecture page with `layers.ts`. Returns the differences. A row is
 * "| `kernel/` | what it holds | what it may import |": the last cell names layers, or is `-` or `everything`.
 * Several layers with the same rule may share a row: "| `http/`, `mcp/` | ... |".
 */
export function tableProblems(page: string, markdown: string): readonly string[] {
  const problems: string[] = [];
  const missing = new Set(Object.keys(layers));
  for (const [index, line] of markdown.split("\n").entries()) {
    const [names, , allowed] = cells(line);
    if (names === undefined || allowed === undefined || !/^`[a-z]+\/`/.test(names)) continue;
    for (const [, name = ""] of names.matchAll(/`([a-z]+)\/`/g)) {
      if (!isLayer(name)) {
        problems.push(`${page}:${index + 1}: "${name}/" is not a layer of scripts/layers.ts`);
        continue;
      }
      missing.delete(name);
      const expected = cellOf(layers[name]);
      if (normalised(allowed) !== normalised(expected)) {
        problems.push(`${page}:${index + 1}: "${name}/" may import "${expected}", the page says "${allowed}"`);
      }
    }
  }
  for (const name of missing) problems.push(`${page}: no row for the layer "${name}/"`);
  return problems;
}

function cellOf(layer: Layer): string {
  if (layer.imports === "everything") return "everything";
  return layer.imports.length === 0 ? "-" : layer.imports.join(", ");
}

function cells(line: string): readonly string[] {
  return line.startsWith("|")
    ? line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim())
    : [];
}

function normalised(allowed: string): string {
  return allowed
    .split(",")
    .map((name) => name.trim())
    .sort()
    .join(", ");
}
