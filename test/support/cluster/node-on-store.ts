import { ENGINE_NAMES, type EngineName } from "../../../src/domain/agent/engines.ts";
import { systemCaller } from "../../../src/kernel/caller.ts";
import { createSystem, type System } from "../../../src/kernel/system.ts";
import { createIds } from "../../../src/kernel/ids.ts";
import { seededRandom } from "../../../src/kernel/random.ts";
import type { ProductTypes } from "../../../src/operations/core/define.ts";
import { beatNode } from "../../../src/operations/nodes/beat-node.ts";
import { joinNode } from "../../../src/operations/nodes/join-node.ts";
import { leaveNode } from "../../../src/operations/nodes/leave-node.ts";
import { checkFence } from "../../../src/operations/runs/leased-run.ts";
import { createOwnNode } from "../../../src/runtime/node/own-node.ts";
import { value } from "../result.ts";
import { runHolder, type RunHolder } from "../team/leased-run.ts";
import type { TestProject } from "../team/project.ts";

/** One of several nodes that work on the store of a project, as different processes would. */
export interface NodeOnStore {
  readonly project: TestProject;
  readonly system: System<ProductTypes>;
  readonly holder: RunHolder;
  readonly instance: string;
  join(): Promise<void>;
  beat(): Promise<{ runs: number; buried: number }>;
  leave(): Promise<void>;
}

export interface NodeChoice {
  readonly labels?: readonly string[];
  readonly engines?: readonly EngineName[];
  readonly machine?: string;
  readonly definitions?: Record<string, string>;
  readonly instance?: string;
}

export const LEASE_MS = 10_000;
let seed = 100;

export function nodeOn(shared: TestProject, name: string, choice: NodeChoice = {}): NodeOnStore {
  const instance = choice.instance ?? `own_${name}`;
  const node = createOwnNode(
    () => ({
      name,
      instance,
      machine: choice.machine ?? `machine-${name}`,
      labels: choice.labels ?? [],
      engines: choice.engines ?? ENGINE_NAMES,
      capacity: null,
      version: "0",
      definitions: choice.definitions ?? {},
    }),
    { alone: false },
  );
  const services = { ...shared.services, node };
  const random = seededRandom((seed += 1));
  const system = createSystem<ProductTypes>({
    store: shared.store,
    services,
    clock: shared.clock,
    random,
    newId: createIds(shared.clock, random),
    checkFence,
    publish: () => {},
    wake: () => {},
  });
  const project = { ...shared, system, services };
  return {
    project,
    system,
    instance,
    holder: runHolder(project, instance),
    join: async () => void value(await system.propose(systemCaller, joinNode, { leaseMs: LEASE_MS })),
    beat: async () => value(await system.propose(systemCaller, beatNode, {})),
    leave: async () => void value(await system.propose(systemCaller, leaveNode, {})),
  };
}
