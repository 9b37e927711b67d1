import * as contract from "../../contract/project/setup.ts";
import { ok } from "../../kernel/result.ts";
import { persons } from "../core/access.ts";
import { proposal } from "../core/define.ts";

export const removeKey = proposal(contract.removeKey, {
  access: persons,
  prepare: ({ provider }, { services }) => services.machine.removeKey(provider),
  execute: async ({ provider }) => ok({ provider }),
});
