import type { MessageView } from "../../contract/messages.ts";
import { EXIT } from "../../contract/service/errors.ts";
import type { RequestResult, RunEvent, WorkRequest } from "../../contract/service/work-request.ts";
import type { Invocation } from "../invocation.ts";
import { formatSpace } from "../output/format-space.ts";
import { paintFor } from "../output/paint.ts";
import { reportResult } from "../output/report-result.ts";
import { formatSpeech, messageText } from "../output/speech.ts";
import { refusedBy } from "../refused.ts";
import { interruption } from "./interruption.ts";
import { noteWaiting } from "./note-waiting.ts";
import { watchRequest } from "./watch-request.ts";

/** Sends a message and waits until every delivery of it is settled. A recipient may settle it without a reply. */
export async function sendAndWait(
  invocation: Invocation,
  request: Extract<WorkRequest, { to: string }>,
): Promise<number> {
  const { terminal, json } = invocation;
  const client = await invocation.client();
  using interrupted = interruption();
  const note = noteWaiting(terminal, json);
  const show = (event: RunEvent): void => {
    const warnings = event.type === "started" && !json ? (event.receipt?.warnings ?? []) : [];
    for (const warning of warnings) terminal.note(`Note: ${warning}\n`);
    note(event);
  };
  const watched = await watchRequest(client, request, show, interrupted.signal);
  switch (watched.kind) {
    case "done":
      return printAnswer(invocation, watched.result);
    case "refused":
      throw refusedBy(watched.error);
    case "interrupted": {
      const space = formatSpace(watched.space ?? request.to);
      terminal.note(`\nNo longer waiting; the message is kept. Follow it with: agent-worker peek ${space} --follow\n`);
      return EXIT.interrupted;
    }
  }
}

function printAnswer(invocation: Invocation, result: RequestResult): number {
  const { receipt, replies = [], outcome, success, failed, incomplete, waits, hint } = result;
  invocation.print({ ...receipt, outcome, success, replies, failed, incomplete, waits, hint }, () =>
    replies.map((reply) => replyText(invocation, reply)).join(""),
  );
  if (!invocation.json && success && replies.length === 0) {
    invocation.terminal.note(`${result.participants.join(", ")} had nothing to say.\n`);
  }
  return reportResult(invocation.terminal, result, invocation.json);
}

function replyText({ terminal }: Invocation, { from, content, resource, mentions }: MessageView): string {
  const layout = { paint: paintFor(terminal), nameWidth: from.length, columns: terminal.columns };
  return formatSpeech(layout, { from, text: messageText(terminal, { to: null, content, resource }), mentions });
}
