import { systemCaller } from "../../../src/kernel/caller.ts";
import { beatNode } from "../../../src/operations/nodes/beat-node.ts";
import { joinNode } from "../../../src/operations/nodes/join-node.ts";
import { leaveNode } from "../../../src/operations/nodes/leave-node.ts";
import { must } from "./broken.ts";
import { accepted, expectRecovery, expectRefusal } from "./expect-run.ts";
import type { Execution } from "./loop-script.ts";
import type { Model } from "./model.ts";
import type { Action } from "./world.ts";

/** One daemon among several on the store. A new start of it has another instance. */
export interface SimulatedNode {
  readonly name: string;
  readonly instance: string;
}

export const LEASE_MS = 10_000;

/** A node that starts, perhaps again: what its earlier start had open is nobody's from now on. */
export function join(model: Model, node: SimulatedNode): Action {
  return {
    label: `join ${node.instance}`,
    caller: systemCaller,
    node: node.instance,
    operation: joinNode,
    data: { leaseMs: LEASE_MS },
    check: (record) => {
      accepted(record);
      for (const [instance, { name }] of model.nodes) if (name === node.name) model.nodes.delete(instance);
      model.nodes.set(node.instance, { name: node.name, beatAt: record.now, left: false });
    },
  };
}

/** It also takes over what nodes that are gone had open, and nothing else. */
export function beat(model: Model, node: SimulatedNode): Action {
  return {
    label: `beat ${node.instance}`,
    caller: systemCaller,
    node: node.instance,
    operation: beatNode,
    data: {},
    check: (record) => {
      const known = model.nodes.get(node.instance);
      if (known === undefined) {
        expectRefusal(record, "lease_lost");
        return;
      }
      Object.assign(known, { beatAt: record.now, left: false });
      expectRecovery(model, record, node.instance);
    },
  };
}

export function leave(model: Model, node: SimulatedNode): Action {
  return {
    label: `leave ${node.instance}`,
    caller: systemCaller,
    node: node.instance,
    operation: leaveNode,
    data: {},
    check: (record) => {
      accepted(record);
      const known = model.nodes.get(node.instance);
      must(known !== undefined, () => `${node.instance} left and was not there`);
      known.left = true;
    },
  };
}

/** Whether the run of an execution belongs to somebody else by now, or to nobody. */
export function isLost({ run, fence }: Execution): boolean {
  return run.state !== "open" || run.fence !== fence;
}

/** What an execution does counts as long as its claim is the last one; afterwards everything must be refused. */
export function underClaim(action: Action, execution: Execution, lost: (execution: Execution) => void): Action {
  let wasLost = false;
  return {
    ...action,
    node: execution.leaseOwner,
    check: (record) => {
      wasLost = isLost(execution);
      if (wasLost) expectRefusal(record, "lease_lost");
      else action.check(record);
    },
    answered: (result) => {
      if (!result.ok && result.error.code === "lease_lost") lost(execution);
      else action.answered?.(result);
    },
  };
}
