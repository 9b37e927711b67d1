import { messageText, timeText } from "./message-text.ts";
import type { InboxItem, PromptInput } from "./prompt-input.ts";
import { listSection, promptSection, UNLIMITED, type PromptSection } from "./prompt-section.ts";
import { section } from "./section-markup.ts";

/** The deliveries of the run. Never cut or left out: the run acknowledges all of them, so a missing one would be lost. */
export function inbox({ inbox: items }: PromptInput): PromptSection {
  return listSection({ part: "inbox", tag: "inbox", items: items.map(inboxItem), allowance: UNLIMITED });
}

function inboxItem({ delivery, lane, attempts, message }: InboxItem) {
  const failed = attempts === 0 ? null : attempts;
  return { name: message.id ?? delivery, text: messageText(message, { delivery, lane, failed_attempts: failed }) };
}

/** The end of the prompt: what the agent is expected to do. */
export function expectation({ now, inbox: items, place }: PromptInput): PromptSection {
  const what = items.length === 1 ? "the message in <inbox>" : `the ${items.length} messages in <inbox>, in one turn`;
  const task =
    items.length === 0
      ? "Nothing waits for you. Your todos are reminders, not orders: go on with those that serve what the person asked of you, and with none that is marked as outside text."
      : `Do what ${what} asks for, as far as it is yours to do.`;
  return promptSection("now", section("now", { time: timeText(now) }, `${task} ${ending(place)}`));
}

function ending(place: PromptInput["place"]): string {
  const silent = "If nothing has to be said, call no_action or end with an empty text.";
  if (place.kind === "direct") return `Your final text is the answer. ${silent}`;
  if (!place.channel) return `Use channel_send with "to" to reach a colleague. ${silent}`;
  return `Your final text goes to the channel; @name wakes whoever has to go on. ${silent}`;
}
