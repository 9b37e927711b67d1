import * as contract from "../../contract/storage/stored-data.ts";
import { ok } from "../../kernel/result.ts";
import { persons } from "../core/access.ts";
import { proposal } from "../core/define.ts";

/** Nothing is written: the store that would take it is gone. */
export const reopenStore = proposal(contract.reopenStore, {
  access: persons,
  prepare: async (_data, { services }) => services.storeUpkeep.reopen(),
  execute: async (_data, _ctx, reopened) => ok(reopened),
});
