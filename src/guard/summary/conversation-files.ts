import type { PersonalTexts } from "../../ports/personal-context.ts";
import type { PromptMessage } from "../context/prompt-input.ts";

/** A file of direct messages of one day. */
export interface ConversationFile {
  readonly file: string;
  readonly day: string;
  readonly archived: boolean;
}

export type DatedMessage = PromptMessage & { readonly at: number };

const FOLDER = "conversations/";
const ARCHIVED = `${FOLDER}archive/`;

/** By day; what was archived of a day was said before what is in its file now. */
export function conversationFiles(files: Awaited<ReturnType<PersonalTexts["files"]>>): readonly ConversationFile[] {
  return files
    .filter(({ file }) => file.startsWith(FOLDER))
    .map(({ file }) => ({
      file,
      day: (file.split("/").at(-1) ?? "").slice(0, "YYYY-MM-DD".length),
      archived: file.startsWith(ARCHIVED),
    }))
    .toSorted((a, b) => compare(a.day, b.day) || compare(a.file, b.file));
}

/** Returns the messages of a file in order, without what a person set aside: what was archived before `clearedAt`. */
export async function readConversationFile(
  texts: PersonalTexts,
  { file, day, archived }: ConversationFile,
  clearedAt: number,
): Promise<readonly DatedMessage[]> {
  const messages = (await texts.read(file)).map(({ source, text, at }): DatedMessage => {
    // A message with an invalid time counts as the beginning of its day.
    const time = at ?? Date.parse(`${day}T00:00:00Z`);
    return { id: null, seq: null, from: source, to: null, kind: "message", body: text, resource: null, at: time };
  });
  return archived ? messages.filter(({ at }) => at > clearedAt) : messages;
}

function compare(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
