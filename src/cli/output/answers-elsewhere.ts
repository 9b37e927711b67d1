import type { MemberView } from "../../contract/workspaces.ts";

/** Says where the answers of a workspace without a channel are. */
export function answersElsewhere(members: readonly Pick<MemberView, "agent" | "ref">[]): string {
  const names = [...new Set(members.map(({ agent, ref }) => ref ?? agent))];
  return `It has no channel: what its agents answer is in their direct messages (${names.join(", ")}).`;
}
