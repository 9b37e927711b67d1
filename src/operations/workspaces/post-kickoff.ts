import { z } from "zod";
import { receiptView } from "../../contract/messages.ts";
import { findMentions, resolveMentions, type TextRange } from "../../domain/message/mentions.ts";
import { PERSON, SYSTEM } from "../../domain/message/message.ts";
import { refuse, type Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import { systemOnly } from "../core/access.ts";
import { proposal, type Execute } from "../core/define.ts";
import { spaceTarget } from "../core/space-target.ts";
import { postMessage, type Post } from "../messages/post-message.ts";
import { isStillOpen, refuseStopped } from "./end-workflow.ts";
import { wakeMembers } from "./workspace-members.ts";

/**
 * The second half of a start: posts the kickoff and marks the workflow as started, in one transaction, so that a crash
 * never posts it twice.
 */
export const postKickoff = proposal(
  {
    name: "post-kickoff",
    summary: "Post the kickoff of a workflow into its workspace.",
    input: z.object({
      space: z.string(),
      /** When this start opened the workspace. Nothing is posted into one that was closed or reopened since. */
      openedAt: z.int(),
      untilIdle: z.boolean(),
      /** Absent: the workflow starts without a message. */
      kickoff: z
        .object({
          text: z.string(),
          /** Ranges of the text that were filled in: they are data. */
          inert: z.array(z.object({ start: z.int(), end: z.int() })),
          /** False when it quotes the output of commands or the environment. */
          personsOwn: z.boolean(),
        })
        .optional(),
    }),
    output: z.object({ receipt: receiptView.nullable() }),
  },
  {
    access: systemOnly,

    async execute({ space, openedAt, untilIdle, kickoff }, ctx) {
      if (!(await isStillOpen(ctx.store, space, openedAt))) return refuseStopped(space);
      await ctx.store.instances.save({ space, phase: "started", untilIdle });
      await wakeMembers(ctx, space);
      if (kickoff === undefined) return ok({ receipt: null });
      const { text, inert, personsOwn } = kickoff;
      const to = await addressees(ctx, space, text, inert);
      if (!to.ok) return to;
      const onBehalfOf = personsOwn ? PERSON : undefined;
      const post = { ...to.value, sender: SYSTEM, onBehalfOf, kind: "kickoff", body: text, inert } as const;
      const posted = await postMessage(ctx, post);
      return posted.ok ? ok({ receipt: posted.value }) : posted;
    },
  },
);

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
