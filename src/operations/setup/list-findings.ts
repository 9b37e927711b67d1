import * as contract from "../../contract/project/setup.ts";
import { ok } from "../../kernel/result.ts";
import { persons } from "../core/access.ts";
import { query } from "../core/define.ts";

export const listFindings = query(contract.listFindings, {
  access: persons,

  async execute(_data, { services }) {
    const findings = await services.machine.examine();
    return ok({ findings: findings.map(({ check, state, message, next }) => ({ check, state, message, next })) });
  },
});
