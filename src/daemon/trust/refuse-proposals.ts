import { refuse } from "../../kernel/refusal.ts";
import type { System } from "../../kernel/system.ts";
import type { Operation, ProductTypes } from "../../operations/core/define.ts";
import { createTeam } from "../../operations/setup/create-team.ts";
import { openDemo } from "../../operations/setup/open-demo.ts";
import { removeKey } from "../../operations/setup/remove-key.ts";
import { storeKey } from "../../operations/setup/store-key.ts";
import { grantTrust } from "../../operations/trust/grant-trust.ts";
import { revokeTrust } from "../../operations/trust/revoke-trust.ts";
import type { Trust } from "../../ports/trust.ts";

/** What a person does there concerns the consent, or what is theirs and not the project's: their keys, a first team. */
const AT_REST: ReadonlySet<string> = new Set(
  [grantTrust, revokeTrust, createTeam, storeKey, removeKey, openDemo].map(({ name }) => name),
);

/** The system of a project at rest: it answers queries and refuses to change anything of the project. */
export function refuseProposals(system: System<ProductTypes>, trust: Trust): System<ProductTypes> {
  const isAllowed = ({ kind, name }: Pick<Operation, "kind" | "name">): boolean =>
    kind === "query" || AT_REST.has(name);
  const refusal = () =>
    refuse("untrusted", WHY[trust.kind()], {
      hint: "See what it can do, and let it work: agent-worker trust. In a script, add --trust to the command.",
    });
  return {
    propose: (caller, proposal, data) =>
      isAllowed(proposal) ? system.propose(caller, proposal, data) : Promise.resolve(refusal()),
    query: (caller, query, data) => system.query(caller, query, data),
    call: (caller, operation, data) =>
      isAllowed(operation) ? system.call(caller, operation, data) : Promise.resolve(refusal()),
  };
}

const WHY = {
  trusted: "This project is at rest. It was trusted a moment ago: try again.",
  unknown: "This project is at rest: nobody has trusted it on this machine yet.",
  "foreign-store": "This project is at rest: its database was not made on this machine.",
} as const;
