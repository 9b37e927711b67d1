import type { Client } from "../../client/client.ts";
import type { MessageView } from "../../contract/messages.ts";
import { EXIT } from "../../contract/service/errors.ts";
import type { RequestResult, WorkRequest } from "../../contract/service/work-request.ts";
import type { Invocation } from "../invocation.ts";
import { formatSpace } from "../output/format-space.ts";
import { paintFor } from "../output/paint.ts";
import { reportResult } from "../output/report-result.ts";
import { formatSpeech, messageText } from "../output/speech.ts";
import { worktreeLines } from "../output/worktree-lines.ts";
import { refusedBy } from "../refused.ts";
import { interruption } from "./interruption.ts";
import { noteWaiting } from "./note-waiting.ts";
import { offerStop } from "./offer-stop.ts";
import { watchRequest } from "./watch-request.ts";
import { isWatchedByPerson, watchWork } from "./watch-work.ts";

/** Sends a message and waits until every delivery of it is settled. A recipient may settle it without a reply. */
export async function sendAndWait(
  invocation: Invocation,
  request: Extract<WorkRequest, { to: string }>,
): Promise<number> {
  const { terminal, json } = invocation;
  const quiet = invocation.options["quiet"] === true;
  const client = await invocation.client();
  using interrupted = interruption();
  if (isWatchedByPerson(terminal, { json, quiet })) {
    return await watchAnswer(invocation, client, request, interrupted.signal);
  }
  const show = noteWaiting(terminal, json);
  const watched = await watchRequest(client, request, show, interrupted.signal);
  switch (watched.kind) {
    case "done":
      return await printAnswer(invocation, client, watched.result);
    case "refused":
      throw refusedBy(watched.error);
    case "interrupted": {
      terminal.note(`\n${keptText(watched.space ?? request.to)}\n`);
      return EXIT.interrupted;
    }
  }
}

/** The same for a person at a terminal: words as they come, decisions in place, and a summary. */
async function watchAnswer(
  { terminal }: Invocation,
  client: Client,
  request: Extract<WorkRequest, { to: string }>,
  signal: AbortSignal,
): Promise<number> {
  const work = watchWork(client, terminal, { json: false, verbose: false, quiet: false }, signal);
  const watched = await work.watch(request);
  switch (watched.kind) {
    case "done": {
      const { result } = watched;
      if (result.success && (result.replies ?? []).length === 0) {
        terminal.note(`${result.participants.join(", ")} had nothing to say.\n`);
      }
      for (const line of await worktreeLines(client, result.space)) terminal.note(`${line}\n`);
      const exit = reportResult(terminal, result, false);
      await work.summarize(result);
      return exit;
    }
    case "refused":
      throw refusedBy(watched.error);
    case "interrupted": {
      const agents = request.to.startsWith("@") ? [] : [request.to];
      await offerStop(client, terminal, { stop: { agents }, follow: keptText(watched.space ?? request.to) });
      return EXIT.interrupted;
    }
  }
}

function keptText(space: string): string {
  return `No longer waiting; the message is kept. Follow it with: agent-worker peek ${formatSpace(space)} --follow`;
}

async function printAnswer(invocation: Invocation, client: Client, result: RequestResult): Promise<number> {
  const { receipt, replies = [], outcome, success, failed, incomplete, waits, hint } = result;
  invocation.print({ ...receipt, outcome, success, replies, failed, incomplete, waits, hint }, () =>
    replies.map((reply) => replyText(invocation, reply)).join(""),
  );
  if (!invocation.json && success && replies.length === 0) {
    invocation.terminal.note(`${result.participants.join(", ")} had nothing to say.\n`);
  }
  if (!invocation.json) {
    for (const line of await worktreeLines(client, result.space)) invocation.terminal.note(`${line}\n`);
  }
  return reportResult(invocation.terminal, result, invocation.json);
}

function replyText({ terminal }: Invocation, { from, content, resource, mentions }: MessageView): string {
  const layout = { paint: paintFor(terminal), nameWidth: from.length, columns: terminal.columns };
  return formatSpeech(layout, { from, text: messageText(terminal, { to: null, content, resource }), mentions });
}
