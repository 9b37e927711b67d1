import * as contract from "../../contract/storage/stored-data.ts";
import { ok } from "../../kernel/result.ts";
import { persons } from "../core/access.ts";
import { query } from "../core/define.ts";

export const showStoreSize = query(contract.showStoreSize, {
  access: persons,
  execute: (_data, ctx) => ctx.read(async (store) => ok(await store.retention.size())),
});
