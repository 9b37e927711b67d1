import { formatSpace } from "../../output/format-space.ts";
import { CHAT_COMMANDS } from "./chat-command.ts";
import { currentPane, type ChatState } from "./chat-state.ts";
import type { InputText } from "./input-text.ts";

/** What can be put in place of the word before the caret. */
export interface Completions {
  /** Where the word begins. */
  readonly from: number;
  readonly words: readonly string[];
}

const MOST = 8;
/** Commands that are followed by a name. */
const TAKES_NAME = /^\/(?:open|stop|model|memory)\s+(\S*)$/;

export function completionsOf(state: ChatState): Completions | undefined {
  const draft = currentPane(state)?.draft;
  if (draft === undefined || state.asksSearch || state.page !== undefined) return undefined;
  const before = draft.text.slice(0, draft.caret);
  const command = /^\/(\S*)$/.exec(before)?.[1];
  if (command !== undefined) {
    return found(
      0,
      command,
      CHAT_COMMANDS.map(({ name }) => `/${name}`),
      "/",
    );
  }
  const named = TAKES_NAME.exec(before)?.[1];
  if (named !== undefined) return found(before.length - named.length, named, targetsOf(state));
  const word = wordAt(before);
  if (word === undefined) return undefined;
  const mentions = word.quoted ? [] : mentionsOf(state).map((name) => `@${name}`);
  const names = found(word.from, word.beginning, mentions, "@")?.words ?? [];
  const isFound = state.paths.beginning === word.beginning;
  const paths = isFound ? state.paths.found.map((path) => pathWord(path, word.quoted)) : [];
  const words = [...names, ...paths].slice(0, MOST);
  return words.length === 0 ? undefined : { from: word.from, words };
}

/** The word after an @ before the caret, or the path in quotes that is not closed yet. */
export function wordAt(before: string): WordAt | undefined {
  const quoted = /(?<=^|\s)@"([^"\n]*)$/.exec(before);
  if (quoted !== null) return { from: quoted.index, beginning: quoted[1] ?? "", quoted: true };
  const word = /(?<=^|\s)@([^\s@"]*)$/.exec(before);
  return word === null ? undefined : { from: word.index, beginning: word[1] ?? "", quoted: false };
}

interface WordAt {
  readonly from: number;
  readonly beginning: string;
  readonly quoted: boolean;
}

/** A path as it is typed: in quotes when it has a space. The quotes of a folder stay open for what is in it. */
function pathWord(path: string, quoted: boolean): string {
  if (!quoted && !/\s/.test(path)) return `@${path}`;
  return path.endsWith("/") ? `@"${path}` : `@"${path}"`;
}

export function complete({ text, caret }: InputText, { from }: Completions, word: string): InputText {
  const rest = text.slice(caret);
  const inserted = `${word}${/^\s/.test(rest) || word.endsWith("/") ? "" : " "}`;
  return { text: text.slice(0, from) + inserted + rest, caret: from + inserted.length };
}

/** Everybody and every workspace that can be opened. */
export function targetsOf({ agents, workspaces }: ChatState): string[] {
  return [...agents.map(({ name }) => name), ...workspaces.map(({ space }) => formatSpace(space))];
}

/** Who can be called in the current pane. */
function mentionsOf(state: ChatState): string[] {
  const space = currentPane(state)?.space;
  const workspace = state.workspaces.find((each) => each.space === space);
  return workspace === undefined ? state.agents.map(({ name }) => name) : [...workspace.participants];
}

function found(from: number, beginning: string, words: readonly string[], prefix = ""): Completions | undefined {
  const typed = `${prefix}${beginning}`.toLowerCase();
  const matching = words.filter((word) => word.toLowerCase().startsWith(typed)).slice(0, MOST);
  return matching.length === 0 ? undefined : { from, words: matching };
}
