import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Citation, citedRequirements } from "./cited-requirements.ts";
import { runGate } from "./gate.ts";
import { typeScriptFiles } from "./project-files.ts";
import { readSource } from "./source-file.ts";

interface Manifest {
  readonly requirements: readonly { readonly id: string }[];
  readonly open: Readonly<Record<string, string>>;
}

/**
 * Every requirement in `test/requirements.ts` is either cited by a test or listed as open, never both, so that the
 * list of open ones can only shrink. Prints how many there are of each, and with `--list` the open ones.
 */
export async function checkRequirements(root: string): Promise<readonly string[]> {
  const manifest: Manifest = await import(pathToFileURL(join(root, "test/requirements.ts")).href);
  const citations = typeScriptFiles(root, "test")
    .filter((path) => path.endsWith(".test.ts"))
    .flatMap((path) => citedRequirements(readSource(root, path)));
  const problems = manifestProblems(manifest, citations);

  const shown = new Set(citations.map(({ id }) => id));
  const ids = manifest.requirements.map(({ id }) => id);
  const openIds = Object.keys(manifest.open);
  const counts = `shown by tests: ${ids.filter((id) => shown.has(id)).length}, open: ${openIds.length}`;
  console.log(`requirements: ${ids.length}, ${counts}`);
  if (process.argv.includes("--list")) for (const line of byArea(openIds)) console.log(`  open  ${line}`);
  return problems;
}

function manifestProblems({ requirements, open }: Manifest, citations: readonly Citation[]): readonly string[] {
  const problems: string[] = [];
  const known = new Set<string>();
  for (const { id } of requirements) {
    if (known.has(id)) problems.push(`test/requirements.ts: "${id}" is listed twice`);
    known.add(id);
  }
  const places = new Map(citations.map((one) => [one.id, `${one.path}:${one.line}`]));
  const uncited = [...known].filter((id) => !places.has(id) && !Object.hasOwn(open, id));
  for (const line of byArea(uncited))
    problems.push(`neither cited as [area.feature] in a test's title nor open: ${line}`);
  for (const [id, place] of places) {
    if (Object.hasOwn(open, id))
      problems.push(`${place}: cites "${id}", which is listed as open; take it off that list`);
  }
  for (const id of Object.keys(open)) {
    if (!known.has(id)) problems.push(`test/requirements.ts: "${id}" is listed as open and is no requirement`);
  }
  for (const { id, path, line, title } of citations) {
    if (title && !known.has(id)) problems.push(`${path}:${line}: cites "${id}", which is no requirement`);
  }
  return problems;
}

/** `delivery: retry, dead-letter`: one line for each area, in the order of the manifest. */
function byArea(ids: readonly string[]): readonly string[] {
  const areas = Map.groupBy(ids, (id) => id.slice(0, id.indexOf(".")));
  return [...areas].map(([area, members]) => `${area}: ${members.map((id) => id.slice(area.length + 1)).join(", ")}`);
}

if (import.meta.main) await runGate("requirements", checkRequirements);
