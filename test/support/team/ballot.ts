import type { z } from "zod";
import { person, type Caller } from "../../../src/kernel/caller.ts";
import { castVote } from "../../../src/operations/ballots/cast-vote.ts";
import { createBallot } from "../../../src/operations/ballots/create-ballot.ts";
import { peekChannel } from "../../../src/operations/messages/peek-channel.ts";
import { callOk, type TestProject } from "./project.ts";
import { agentIn, REVIEW } from "./team.ts";

export type NewBallot = z.input<typeof createBallot.input>;

/** A decision among the team of `review`, opened by alice unless told otherwise. */
export function openBallot(
  project: TestProject,
  more: Partial<NewBallot> = {},
  caller: Caller = agentIn(REVIEW, "alice"),
) {
  return callOk(project, caller, createBallot, {
    type: "decision",
    title: "Which database?",
    options: ["sqlite", "postgres"],
    ...more,
  });
}

export function vote(project: TestProject, caller: Caller, id: string, option: string) {
  return callOk(project, caller, castVote, { id, option });
}

/** Everything said in the channel of `review`. */
export async function said(project: TestProject): Promise<string[]> {
  const { messages } = await callOk(project, person, peekChannel, { target: "@review", limit: 500 });
  return messages.map(({ content }) => content);
}
