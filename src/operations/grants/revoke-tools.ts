import * as contract from "../../contract/spaces/grants.ts";
import { formatRevocation } from "../../domain/grant/grant.ts";
import { afterRevocation } from "../../domain/grant/held-grants.ts";
import { refuse } from "../../kernel/refusal.ts";
import { everyone } from "../core/access.ts";
import { proposal } from "../core/define.ts";
import { changeGrants } from "./change-grants.ts";
import { findGrantReceiver } from "./grant-receiver.ts";

/** Takes back what was granted. A person takes back anything; an agent takes back what it gave itself. */
export const revokeTools = proposal(contract.revokeTools, {
  access: everyone,

  async execute({ agent: written, tools: named, reason }, ctx) {
    const receiver = await findGrantReceiver(ctx, written);
    if (!receiver.ok) return receiver;
    const { agent, space } = receiver.value;
    const tools = [...new Set(named)];
    const before = await ctx.store.grants.inSpace(space);
    const held = new Map(before.flatMap((each) => (each.agent === agent ? [[each.tool, each] as const] : [])));
    const missing = tools.filter((tool) => !held.has(tool));
    if (missing.length > 0) {
      const names = [...held.keys()].join(", ") || "nothing";
      return refuse("not_found", `${agent} does not hold ${missing.join(", ")} by a grant.`, {
        hint: `By grants it holds ${names}. Tools of its definition end where they are written: in its file.`,
      });
    }
    const { caller } = ctx;
    const ofOthers = tools.filter((tool) => caller.kind === "agent" && held.get(tool)?.givenBy !== caller.name);
    if (ofOthers.length > 0) {
      return refuse("forbidden", `${agent} has ${ofOthers.join(", ")} from somebody else.`, {
        hint: "You can take back what you gave. Ask in the channel for the rest.",
      });
    }
    const after = afterRevocation(before, { agent, tools });
    const text = formatRevocation({ agent, tools });
    return changeGrants(ctx, receiver.value, { kind: "revoke", text, reason, before, after });
  },
});
