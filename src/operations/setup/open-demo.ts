import * as contract from "../../contract/project/setup.ts";
import { ok } from "../../kernel/result.ts";
import { persons } from "../core/access.ts";
import { proposal } from "../core/define.ts";

export const openDemo = proposal(contract.openDemo, {
  access: persons,
  prepare: (_data, { services }) => services.machine.openDemo(),
  execute: async (_data, _ctx, demo) => ok(demo),
});
