import { cutToLength, cutToTokens, estimateTokens } from "./estimate-tokens.ts";
import { messageText, timeText } from "./message-text.ts";
import type { DocumentsInput, PromptInput, PromptMessage } from "./prompt-input.ts";
import { leftOut } from "./prompt-receipt.ts";
import { allow, GAP, type Item, itemTokens, listSection, promptSection, type PromptSection } from "./prompt-section.ts";
import { asData, asLine, section } from "./section-markup.ts";

const DOCUMENTS_SHARE = 2500;
const RECENT_SHARE = 6000;
const RECENT_CHARS = 2000;
/** A shorter part of a document is useless to the agent. */
const LEAST_TOKENS = 50;

export function documents({ place }: PromptInput, left: number): PromptSection {
  const found = place.kind === "workspace" ? place.documents : null;
  if (found === null || found.files.length === 0) return promptSection("documents", "");
  const allowance = allow(left, DOCUMENTS_SHARE);
  const list = listSection({
    part: "documents",
    tag: "documents",
    attributes: { write: writers(found) },
    items: found.files.map(({ file, bytes }) => ({ name: file, text: `- ${asLine(file)} (${bytes} bytes)` })),
    allowance,
    contiguous: true,
    more: (count) => `(${count} more: team_doc_list)`,
  });
  if (found.main === null) return list;
  return withBeginning(list, found.main, allowance);
}

function withBeginning(
  list: PromptSection,
  main: NonNullable<DocumentsInput["main"]>,
  { tokens, reason }: ReturnType<typeof allow>,
): PromptSection {
  const { file, beginning, characters } = main;
  const data = asData(beginning);
  const frame = section("document", { file, characters, shown: `first ${characters}; team_doc_read has the rest` }, "");
  const room = tokens - list.tokens - estimateTokens(frame + GAP);
  const shown = cutToTokens(data, room);
  if (room < 0 || (shown.length < data.length && room < LEAST_TOKENS)) {
    return { ...list, leftOut: [...list.leftOut, ...leftOut(reason, [`the text of ${file}`])] };
  }
  const whole = shown.length === data.length && beginning.length === characters;
  const cut = whole ? null : `first ${shown.length}; team_doc_read has the rest`;
  const text = section("document", { file, characters, shown: cut }, shown);
  return promptSection("documents", [list.text, text].filter((part) => part !== "").join("\n"), {
    items: list.items + 1,
    names: list.names,
    leftOut: whole ? list.leftOut : [...list.leftOut, ...leftOut("shortened", [file])],
  });
}

function writers({ owner, electing }: DocumentsInput): string {
  if (electing) return "nobody until an owner is elected";
  return owner === null ? "everyone" : `only ${owner}`;
}

/** The newest messages that fit, oldest first, without those of the inbox. */
export function recent({ place, inbox }: PromptInput, left: number): PromptSection {
  const part = place.kind === "workspace" ? "channel" : "conversation";
  const inInbox = new Set(inbox.map(({ message }) => message.id));
  const shownBelow = place.recent.filter(({ id }) => id !== null && inInbox.has(id));
  const messages = place.recent.filter((message) => !shownBelow.includes(message));
  const long = messages.filter(({ body }) => body.length > RECENT_CHARS);
  return listSection({
    part,
    tag: part,
    items: messages.map(recentItem).toReversed(),
    allowance: allow(left, RECENT_SHARE),
    contiguous: true,
    arrange: (chosen) => chosen.toReversed(),
    leftOut: [...leftOut("inbox", shownBelow.map(nameOf)), ...leftOut("shortened", long.map(nameOf))],
  });
}

/** Cached by object: a message is shown in many prompts. */
const ITEMS = new WeakMap<PromptMessage, Item>();

function recentItem(message: PromptMessage): Item {
  const cached = ITEMS.get(message);
  if (cached !== undefined) return cached;
  const formatted = formatItem(message);
  const item = { ...formatted, tokens: itemTokens(formatted.text) };
  ITEMS.set(message, item);
  return item;
}

function formatItem(message: PromptMessage): Item {
  const { seq, body } = message;
  const beginning = cutToLength(body, RECENT_CHARS);
  if (beginning.length === body.length) return { name: nameOf(message), text: messageText(message) };
  const rest = seq === null ? "" : `; channel_read with since ${seq - 1} and limit 1 shows the whole`;
  const cut = `${body.length - beginning.length} characters left out${rest}`;
  return { name: nameOf(message), text: messageText({ ...message, body: beginning }, { cut }) };
}

function nameOf({ id, from, at }: PromptMessage): string {
  return id ?? (at === null ? from : `${from} ${timeText(at)}`);
}
