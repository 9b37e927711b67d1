import { refuse } from "../../kernel/refusal.ts";
import type { Machine } from "../../ports/machine.ts";

const none = () => refuse("conflict", "This program has no home in which it could keep anything.");

/** For a project that is opened without the home of a daemon. */
export const NO_MACHINE: Machine = {
  templates: () => [],
  engines: async () => [],
  providers: async () => [],
  createTeam: async () => none(),
  storeKey: async () => none(),
  removeKey: async () => none(),
  examine: async () => [],
  openDemo: async () => none(),
};
