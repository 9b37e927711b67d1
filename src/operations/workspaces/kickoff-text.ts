import type { ReceiptView } from "../../contract/messages.ts";
import { findMentions, resolveMentions, type TextRange } from "../../domain/message/mentions.ts";
import { PERSON, SYSTEM } from "../../domain/message/message.ts";
import { refuse, type Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import type { KickoffText } from "../../ports/store/workflow-instance.ts";
import type { Execute } from "../core/define.ts";
import { spaceTarget } from "../core/space-target.ts";
import { postMessage, type Post } from "../messages/post-message.ts";

/**
 * Posts the kickoff of a workflow into its workspace. It is the person's message when every word of it is. One that
 * quotes commands or the environment is of the system, because such texts must not count as the person's.
 */
export async function postKickoffText(
  ctx: Execute,
  space: string,
  { text, inert, personsOwn }: KickoffText,
): Promise<Result<ReceiptView, Refusal>> {
  const to = await addressees(ctx, space, text, inert);
  if (!to.ok) return to;
  const sender = personsOwn ? PERSON : SYSTEM;
  return postMessage(ctx, { ...to.value, sender, kind: "kickoff", body: text, inert });
}

/** Returns the channel or, in a workspace without one, the participants that the text mentions. */
async function addressees(
  ctx: Execute,
  space: string,
  text: string,
  inert: readonly TextRange[],
): Promise<Result<Pick<Post, "target" | "calls">, Refusal>> {
  const target = spaceTarget(space);
  const workspace = await ctx.store.workspaces.status(space);
  if (target.kind !== "channel" || workspace?.channel !== false) return ok({ target });
  const names = (await ctx.store.workspaces.roster(space)).map(({ agent }) => agent);
  const { mentioned: calls } = resolveMentions(findMentions(text, { inert }), {
    sender: SYSTEM,
    isParticipant: (name) => names.includes(name),
    participants: () => names,
  });
  const [first] = calls;
  if (first !== undefined) return ok({ target: { ...target, kind: "agent", agent: first }, calls });
  return refuse(
    "invalid",
    `The kickoff of "${target.workflow}" reaches nobody: it mentions no one, and there is no channel.`,
    {
      hint: `Mention who shall begin: ${names.map((name) => `@${name}`).join(", ")}.`,
    },
  );
}
