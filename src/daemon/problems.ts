import { closeSync, openSync } from "node:fs";
import { errnoOf } from "../files/file-fault.ts";
import type { OwnNode } from "../ports/own-node.ts";
import type { StoreUpkeep } from "../ports/store-upkeep.ts";
import type { Store } from "../ports/store/store.ts";
import { hasLittleSpace } from "./store/disk-space.ts";

/** Returns why the daemon is degraded, as sentences for people. */
export function findProblems(state: {
  readonly home: string;
  readonly projects: readonly {
    readonly dir: string;
    readonly store: Pick<Store, "lostCommits">;
    readonly services: {
      readonly storeUpkeep: Pick<StoreUpkeep, "problem">;
      readonly node: Pick<OwnNode, "problem">;
    };
  }[];
  readonly failed: ReadonlyMap<string, string>;
  readonly droppedLines: number;
}): string[] {
  const { home, projects, failed, droppedLines } = state;
  const problems: string[] = [];
  if (descriptorsAreUsedUp(home)) problems.push("no file can be opened: the limit of open files is reached");
  if (hasLittleSpace(home)) problems.push(`the disk of ${home} is full`);
  for (const [dir, reason] of failed) problems.push(`the project ${dir} could not be opened: ${reason}`);
  for (const { dir, store, services } of projects) {
    const problem = services.storeUpkeep.problem();
    if (problem !== null) problems.push(problem);
    const lost = services.node.problem();
    if (lost !== null) problems.push(lost);
    if (store.lostCommits > 0) problems.push(`the database of ${dir} lost ${store.lostCommits} acknowledged commits`);
  }
  if (droppedLines > 0) problems.push(`the log cannot be written: ${droppedLines} lines were lost`);
  return problems;
}

function descriptorsAreUsedUp(folder: string): boolean {
  try {
    closeSync(openSync(folder, "r"));
    return false;
  } catch (error) {
    return ["EMFILE", "ENFILE"].includes(errnoOf(error) ?? "");
  }
}
