import { must } from "./broken.ts";
import { accepted, expectRefusal } from "./expect-run.ts";
import type { Letter, Model, ModelRun } from "./model.ts";
import type { TransactionRecord } from "./transaction-record.ts";

/** Reading joins what it shows to the run, and nothing that another run has had. */
export function expectReading(model: Model, record: TransactionRecord, run: ModelRun, limit: number): void {
  const { messages } = accepted<{ messages: { id: string }[] }>(record);
  const shown = (model.messagesIn.get(run.space) ?? []).slice(-limit).map(({ id }) => id);
  must(
    messages.map(({ id }) => id).join() === shown.join(),
    () => `${run.id} was shown ${messages.length} messages, not ${shown.length}`,
  );
  for (const letter of model.due(run.mailbox, record.now)) {
    const { id, space } = letter.message;
    if (letter.run === null && !letter.awaited && space === run.space && shown.includes(id))
      model.expectMove(record, letter, { status: "leased", run });
  }
}

/** All or none: one dead letter among them and nothing is acknowledged. */
export function expectAck(model: Model, record: TransactionRecord, letters: readonly Letter[]): void {
  if (letters.some(({ status }) => status === "dead")) {
    expectRefusal(record, "conflict");
    return;
  }
  const { acked } = accepted<{ acked: string[] }>(record);
  const open = letters.filter(({ status }) => status !== "acked");
  must(
    acked.join() === open.map(({ id }) => id).join(),
    () => `acknowledged ${acked.join()}, not ${open.map(({ id }) => id).join()}`,
  );
  const runs = new Set(letters.map(({ run }) => run));
  for (const letter of open) model.expectMove(record, letter, { status: "acked", run: letter.run });
  for (const run of runs) {
    if (run?.state === "parked" && model.openLetters(run).length === 0) model.expectEnd(record, run, "stopped");
  }
}

export function expectDeadLetter(
  model: Model,
  record: TransactionRecord,
  letter: Letter,
  kind: "revive" | "drop",
): void {
  if (letter.status !== "dead") {
    expectRefusal(record, "conflict");
    return;
  }
  accepted(record);
  if (kind === "drop") model.expectMove(record, letter, { status: "acked", run: null });
  else model.expectMove(record, letter, { status: "pending", run: null, attempts: 0, notBefore: null });
}
