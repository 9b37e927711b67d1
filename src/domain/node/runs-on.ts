import type { EngineName } from "../agent/engines.ts";

/** On which nodes an agent may run. Absent parts do not matter. */
export interface RunsOn {
  readonly node?: string;
  /** The node must have all of them. */
  readonly labels?: readonly string[];
  /** The node must have this engine, besides the one of the agent. */
  readonly engine?: EngineName;
}
