import type { WaitingRun } from "../../contract/runs.ts";
import type { StoreReads } from "../../ports/store/store.ts";
import type { Services } from "../core/define.ts";
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
  /** Why nothing is accepted, or that the database was begun anew. */
  readonly storeProblem: string | null;
}

export async function readTroubles(
  store: StoreReads,
  services: Pick<Services, "definitions" | "personal" | "trust" | "storeUpkeep">,
  { waits }: UnfinishedRuns,
): Promise<Troubles> {
  const { definitions, trust, storeUpkeep } = services;
  const { dead } = await store.deliveries.backlog();
  const resting = definitions.agents().filter((agent) => trust.unseenOfAgent(agent, null).length > 0);
  return {
    waits,
    dead,
    broken: brokenFiles(services),
    resting: trust.kind() === "trusted" ? resting.map(({ name }) => name) : [],
    storeProblem: storeUpkeep.problem(),
  };
}

function brokenFiles(services: Pick<Services, "definitions" | "personal">): string[] {
  const problems = [...services.definitions.problems(), ...personalProblems(services)];
  const errors = problems.filter(({ severity }) => severity === "error");
  const firsts = new Map(errors.toReversed().map((problem) => [problem.file, problem]));
  return [...firsts.values()].toReversed().map(({ file, line, message }) => `${file}:${line}: ${message}`);
}
