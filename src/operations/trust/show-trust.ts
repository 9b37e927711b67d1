import * as contract from "../../contract/trust.ts";
import { ok } from "../../kernel/result.ts";
import { persons } from "../core/access.ts";
import { query } from "../core/define.ts";
import { agentsInUse } from "./agents-in-use.ts";
import { toTrustView } from "./view.ts";

export const showTrust = query(contract.showTrust, {
  access: persons,

  async execute(_data, { services, read }) {
    await services.definitions.refresh();
    return ok(toTrustView(services.trust, await read(agentsInUse(services.definitions))));
  },
});
