import * as contract from "../../contract/project/setup.ts";
import { ok } from "../../kernel/result.ts";
import { persons } from "../core/access.ts";
import { proposal } from "../core/define.ts";

/** The key goes into the home of the person and nowhere else: no event, no record and no answer has it. */
export const storeKey = proposal(contract.storeKey, {
  access: persons,
  prepare: ({ provider, value }, { services }) => services.machine.storeKey(provider, value),
  execute: async ({ provider }, _ctx, { place }) => ok({ provider, place }),
});
