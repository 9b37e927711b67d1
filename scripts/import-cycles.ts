/**
 * Returns import cycles, each as a path that ends at its first file; at least one for every group of files that import
 * each other. Type-only imports count: files that need each other's types are one concept in two files.
 */
export function importCycles(graph: ReadonlyMap<string, readonly string[]>): readonly (readonly string[])[] {
  const cycles: string[][] = [];
  const done = new Set<string>();
  const path: string[] = [];

  const walk = (file: string): void => {
    const at = path.indexOf(file);
    if (at >= 0) {
      cycles.push([...path.slice(at), file]);
      return;
    }
    if (done.has(file)) return;
    path.push(file);
    for (const next of graph.get(file) ?? []) walk(next);
    path.pop();
    done.add(file);
  };

  for (const file of graph.keys()) walk(file);
  return cycles;
}
