import type { WaitingRun } from "../../contract/runs.ts";
import type { StoreReads } from "../../ports/store/store.ts";
import type { Services } from "../core/define.ts";
import { readPlacement } from "../nodes/place-run.ts";
import { refusedAgents, type RefusedAgent } from "../nodes/refused-agents.ts";
import { personalProblems } from "./personal-problems.ts";
import type { UnfinishedRuns } from "../runs/waiting-runs.ts";

/** Everything because of which work of a project does not go on. Every command and the page show it from here. */
export interface Troubles {
  readonly waits: readonly WaitingRun[];
  /** How many deliveries could not be answered. */
  readonly dead: number;
  /** Files of definitions and of personal contexts that cannot be used, each with its first mistake: `file:line: message`. */
  readonly broken: readonly string[];
  /** Agents that can do more than a person allowed, and begin no run. Empty when the whole project rests. */
  readonly resting: readonly string[];
  /** Agents that have something to do and that no node may run now, each with the reason. */
  readonly unplaced: readonly { readonly agent: string; readonly reason: string }[];
  /** Agents that this node does not run, because its files are not those of the others. */
  readonly refused: readonly RefusedAgent[];
  /** Why nothing is accepted, or that the disk is full. */
  readonly storeProblem: string | null;
}

export async function readTroubles(
  store: StoreReads,
  services: Pick<Services, "definitions" | "personal" | "trust" | "storeUpkeep" | "ownProposals" | "node">,
  { waits }: UnfinishedRuns,
): Promise<Troubles> {
  const { definitions, trust, storeUpkeep } = services;
  const { dead } = await store.deliveries.backlog();
  const resting = definitions.agents().filter((agent) => trust.unseenOfAgent(agent, null).length > 0);
  return {
    waits: oncePerCause(waits),
    dead,
    broken: brokenFiles(services),
    resting: trust.kind() === "trusted" ? resting.map(({ name }) => name) : [],
    unplaced: await unplacedAgents(store, services),
    refused: refusedAgents(services.node),
    storeProblem: storeUpkeep.problem() ?? services.node.problem(),
  };
}

async function unplacedAgents(
  store: StoreReads,
  services: Pick<Services, "definitions" | "node">,
): Promise<Troubles["unplaced"]> {
  const { definitions, node } = services;
  const isPlacedHere = node.alone && !definitions.agents().some(({ runsOn }) => runsOn !== undefined);
  if (isPlacedHere) return [];
  const unplaced: { agent: string; reason: string }[] = [];
  for (const mailbox of new Set((await store.deliveries.countOpenByLane()).map((each) => each.mailbox))) {
    const definition = definitions.agent(mailbox);
    if (definition === undefined) continue;
    const { problem } = await readPlacement(store, services, { agent: mailbox, space: mailbox, definition });
    if (problem !== null) unplaced.push({ agent: mailbox, reason: problem });
  }
  return unplaced;
}

function brokenFiles(services: Pick<Services, "definitions" | "personal" | "ownProposals">): string[] {
  const { definitions, ownProposals } = services;
  const problems = [...definitions.problems(), ...ownProposals.problems(), ...personalProblems(services)];
  const errors = problems.filter(({ severity }) => severity === "error");
  const firsts = new Map(errors.toReversed().map((problem) => [problem.file, problem]));
  return [...firsts.values()].toReversed().map(({ file, line, message }) => `${file}:${line}: ${message}`);
}

/** Of the runs of one agent in one place that wait for the same, for the same reason, the first is named. */
function oncePerCause(waits: readonly WaitingRun[]): WaitingRun[] {
  const causes = Map.groupBy(waits, ({ agent, space, waitsFor, until, reason, run }) =>
    JSON.stringify([agent, space, waitsFor, until, reason, waitsFor === "approval" ? run : null]),
  );
  return [...causes.values()].flatMap((same) => same.slice(0, 1));
}
