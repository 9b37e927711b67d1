import * as contract from "../../contract/trust.ts";
import { ok } from "../../kernel/result.ts";
import { persons } from "../core/access.ts";
import { proposal } from "../core/define.ts";
import { agentsInUse } from "./agents-in-use.ts";
import { toTrustView } from "./view.ts";

export const revokeTrust = proposal(contract.revokeTrust, {
  access: persons,

  async prepare(_data, { services, read }) {
    const revoked = services.trust.revoke();
    if (!revoked.ok) return revoked;
    return ok(toTrustView(services.trust, await read(agentsInUse(services.definitions))));
  },

  execute: async (_data, _ctx, view) => ok(view),
});
