import type { RunView } from "../contract/run.ts";
import { mailboxAgent } from "../domain/delivery/mailbox.ts";
import type { RunRecord } from "../ports/store/run.ts";

export function toRunView({ id, mailbox, space, lane, state, outcome, cause, startedAt, endedAt }: RunRecord): RunView {
  const agent = mailboxAgent(mailbox);
  const ended = endedAt === null ? null : new Date(endedAt).toISOString();
  return {
    id,
    agent,
    space,
    lane,
    state,
    outcome,
    cause,
    startedAt: new Date(startedAt).toISOString(),
    endedAt: ended,
  };
}
