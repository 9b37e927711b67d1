import { format, median } from "../bench.ts";
import { AGENT_WORKER } from "./peers.ts";
import { briefRowsOf, markdownTable } from "./report.ts";
import type { PeerResult } from "./results.ts";

/** One run of `bench:peers`, as `--json` keeps it. */
export interface PeersReport {
  readonly date: string;
  readonly machine: string;
  readonly rounds: number;
  readonly peers: readonly PeerResult[];
}

/** The heading of the section, which is replaced as a whole. */
const HEADING = "## How fast";
const COLUMNS = 120;

/** The whole section of the README about a run. `test/docs/peers-table.test.ts` compares it with the README. */
export function readmeSection({ date, machine, rounds, peers }: PeersReport): string {
  const before = `agent-worker beside programs that do a part of the same, with a model server that answers at once
    (after 200 ms for the hundred runs). *Step*: of a run of ten steps. *Hop*: two agents hand over to each other.
    *100 runs*: at once, four steps each; CPU and memory count daemon, workers and database. *Idle*: with 1,000 agents.
    *kill -9*: in step five of ten. Medians of ${rounds} ${rounds === 1 ? "round" : "rounds"}, ${date}, ${machine}:`;
  const after = `${crowdOf(peers)}\`npm run bench:peers\` repeats it in your clone, with the versions, the spread and the
    size of the requests. \`-- --json FILE\` keeps a run, and \`-- --from FILE --readme\` writes this section.`;
  return [HEADING, wrapped(before), markdownTable(briefRowsOf(peers)), wrapped(after)].join("\n\n");
}

/** Returns the README with the section of this run. */
export function withSection(readme: string, section: string): string {
  const start = readme.indexOf(`${HEADING}\n`);
  if (start === -1) throw new Error(`the README has no "${HEADING}"`);
  const next = readme.indexOf("\n## ", start);
  return `${readme.slice(0, start)}${section}\n${next === -1 ? "" : readme.slice(next)}`;
}

/** Returns the section as it is in the README. */
export function sectionIn(readme: string): string {
  const [, rest = ""] = readme.split(`${HEADING}\n`);
  return `${HEADING}\n${rest.split("\n## ")[0] ?? ""}`.trimEnd();
}

function crowdOf(peers: readonly PeerResult[]): string {
  const { crowd = [] } = peers.find(({ name }) => name === AGENT_WORKER) ?? {};
  if (crowd.length === 0) return "";
  const [seconds, mb] = [median(crowd.map((each) => each.seconds)), median(crowd.map((each) => each.mb))];
  const errors = Math.max(...crowd.map((each) => each.errors));
  return `1,000 runs of agent-worker at once: ${format(seconds)} s, ${format(mb)} MB, ${errors} errors. `;
}

function wrapped(text: string): string {
  const lines: string[] = [];
  for (const word of text.split(/\s+/)) {
    const line = lines.at(-1);
    if (line === undefined || line.length + 1 + word.length > COLUMNS) lines.push(word);
    else lines[lines.length - 1] = `${line} ${word}`;
  }
  return lines.join("\n");
}
