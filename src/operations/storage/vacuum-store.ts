import * as contract from "../../contract/storage/stored-data.ts";
import { ok } from "../../kernel/result.ts";
import { persons } from "../core/access.ts";
import { proposal } from "../core/define.ts";

/** It is no transaction: the whole file is written anew, by another process. */
export const vacuumStore = proposal(contract.vacuumStore, {
  access: persons,

  async prepare(_data, { services, read }) {
    const { bytes: bytesBefore } = await read((store) => store.retention.size());
    const vacuumed = await services.storeUpkeep.vacuum();
    if (!vacuumed.ok) return vacuumed;
    const { bytes: bytesAfter } = await read((store) => store.retention.size());
    return ok({ bytesBefore, bytesAfter });
  },

  execute: async (_data, _ctx, sizes) => ok(sizes),
});
