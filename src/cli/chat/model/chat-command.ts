/** A command of the chat: a line that begins with a slash. */
export interface ChatCommand {
  readonly name: string;
  readonly words: string;
  readonly about: string;
}

export const CHAT_COMMANDS: readonly ChatCommand[] = [
  { name: "help", words: "", about: "the keys and commands" },
  { name: "open", words: "NAME", about: "open an agent or a workspace (@NAME) in a pane of its own" },
  { name: "close", words: "", about: "close this pane; nothing is stopped" },
  { name: "find", words: "TEXT", about: "search everything that was said here" },
  {
    name: "approve",
    words: "[ID] [run|always]",
    about: "allow the tool call that waits; write the suggestion; deliver again",
  },
  { name: "deny", words: "[ID] [REASON]", about: "refuse it" },
  { name: "vote", words: "[ID] OPTION", about: "vote in the ballot that waits for you" },
  { name: "start", words: "[TEXT]", about: "go on in a finished workspace with TEXT; without it, begin it anew" },
  { name: "stop", words: "[NAME]", about: "let an agent break off what it does" },
  { name: "model", words: "[NAME] [MODEL]", about: "the model of an agent; with MODEL it uses that one from now on" },
  { name: "memory", words: "[NAME]", about: "what an agent remembers" },
  { name: "doc", words: "[FILE]", about: "the documents of this workspace, or one of them" },
  { name: "quit", words: "", about: "end the chat; the work goes on" },
];

/** A command as it was typed. */
export interface TypedCommand {
  readonly name: string;
  readonly words: readonly string[];
  /** Everything after the name. */
  readonly text: string;
}

/** Returns the command in a line; undefined for a message. Two slashes begin a message with one. */
export function readCommand(typed: string): TypedCommand | undefined {
  const found = /^\/([a-z]+)(?:\s+([^]*))?$/.exec(typed.trim());
  if (found === null) return undefined;
  const [, name = "", text = ""] = found;
  return { name, words: text.split(/\s+/).filter((word) => word !== ""), text };
}
