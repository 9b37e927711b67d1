import type { GrantView } from "../../contract/spaces/grants.ts";
import type { HeldGrant } from "../../domain/grant/grant.ts";

export function toGrantView(space: string, { agent, tool, handOn, givenBy }: HeldGrant): GrantView {
  return { space, agent, tool, handOn, by: givenBy };
}
