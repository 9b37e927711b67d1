import type { MessageView } from "../../contract/messages.ts";
import { EXIT } from "../../contract/service/errors.ts";
import { systemClock } from "../../kernel/clock.ts";
import { interruption } from "../interruption.ts";
import type { Invocation } from "../invocation.ts";
import { messageLines } from "./message-lines.ts";

interface Shown {
  readonly target: string;
  readonly messages: readonly MessageView[];
  readonly find?: string | undefined;
  /** Only some of what was said there was asked for. */
  readonly isPart: boolean;
  /** Go on with what comes. */
  readonly follow: boolean;
}

/** Shows messages to a person, or when they are followed to a program as one JSON object a line. */
export async function showMessages(invocation: Invocation, shown: Shown): Promise<number> {
  const { terminal, json } = invocation;
  const { target, messages, find, isPart, follow } = shown;
  const lines = messageLines(terminal, systemClock.now());
  const show = (some: readonly MessageView[]): void =>
    terminal.print(json ? some.map((message) => `${JSON.stringify(message)}\n`).join("") : lines(some));
  using interrupted = follow ? interruption() : undefined;
  show(messages);
  if (interrupted === undefined) {
    const none = isPart ? `Nothing like that was said in ${target}.` : `Nothing was said in ${target} yet.`;
    if (messages.length === 0 && !json) terminal.note(`${none}\n`);
    return EXIT.ok;
  }
  const { followMessages } = await import("../follow/follow-messages.ts");
  const place = { target, since: messages.at(-1)?.seq ?? 0, find };
  for await (const message of followMessages(await invocation.client(), place, interrupted.signal)) show([message]);
  return EXIT.interrupted;
}
