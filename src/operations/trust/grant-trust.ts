import * as contract from "../../contract/trust.ts";
import { ok } from "../../kernel/result.ts";
import { persons } from "../core/access.ts";
import { proposal } from "../core/define.ts";
import { agentsInUse } from "./agents-in-use.ts";
import { toTrustView } from "./view.ts";

/**
 * Consent is kept in the home, not in the store. Mailboxes are woken, so that what rested goes on. The event makes
 * whoever watches look again at who rests.
 */
export const grantTrust = proposal(contract.grantTrust, {
  access: persons,

  async prepare({ seen, always }, { services, read }) {
    await services.definitions.refresh();
    const inUse = await read(agentsInUse(services.definitions));
    const granted = services.trust.grant({ ...(seen === undefined ? {} : { seen }), always, inUse });
    return granted.ok ? ok(toTrustView(services.trust, inUse)) : granted;
  },

  async execute(_data, ctx, view) {
    for (const mailbox of await ctx.store.deliveries.mailboxesWithPending()) ctx.wake(mailbox);
    await ctx.emit({ type: "definitions.changed" });
    return ok(view);
  },
});
