/**
 * Returns a text of the system without what is meant for a terminal or for the tools of an agent: on the page the person
 * has buttons and links for it. `quote` returns what people call a message; undefined when it is not known here.
 */
export function noticeText(text: string, quote: (id: string) => string | undefined = () => undefined): string {
  const plain = withoutNamedIds(text)
    .replace(/ ?(?:Vote with )?proposal_vote \{[^}\n]*\}\.?/g, "")
    .replace(/(^|[.:!?]\s+|\n)[A-Z][^.:\n]*: agent-worker [^\n]*/g, (_, before: string) => before.replace(/\s+$/, "\n"))
    .replace(/^user voted for /, "You voted for ")
    .replace(/^user changed its vote to /, "You changed your vote to ")
    .replace(/ ?Raise it in the file that sets it, then retry the dead letters\./g, "")
    .replace(/\n?See the dead letters: they can be retried or dropped\./g, "")
    .replace(new RegExp(`\\bmsg_${LETTERS}\\b`, "g"), (id) => quote(id) ?? id)
    .replace(/\n{2,}/g, "\n")
    .trim();
  return limitText(withoutIds(plain));
}

/** Returns the reason of a stop with the words of the forms in which limits are set. */
export function limitText(reason: string): string {
  return reason.replace(/(is used up: |its limit of )(\d+) (turn|hop)(s?)\b/, (_, before: string, count, unit, many) =>
    unit === "turn" ? `${before}${count} run${many}` : `${before}${count} message${many} in a row`,
  );
}

const LETTERS = "[0-9a-z]{20,}";
const ID = `[a-z]{2,5}_${LETTERS}`;

/** Returns a text without the ids after what they are of: "a change of notes.md (sug_…)". */
export function withoutNamedIds(text: string): string {
  return text.replaceAll(new RegExp(` \\(${ID}\\)`, "g"), "");
}

/** What people call the things that ids are of. */
const NAMES: Readonly<Record<string, string>> = {
  apr: "approval",
  bal: "ballot",
  chg: "change",
  dlv: "message",
  mem: "memory",
  msg: "message",
  rul: "rule",
  run: "run",
  sch: "schedule",
  sol: "change of a soul",
  sug: "suggestion",
};

/** Returns a text with words in the place of ids, which say nothing to people. */
export function withoutIds(text: string): string {
  const missing = new RegExp(`\\b(?:There is no|No) (\\w+(?: \\w+)?) "?${ID}"?( here| waits)?\\.`, "g");
  const named = new RegExp(`\\b(?:the|this|a) (\\w+) "?${ID}"?`, "gi");
  const alone = new RegExp(`"?\\b([a-z]{2,5})_${LETTERS}\\b"?`, "g");
  return text
    .replace(missing, (_, what: string) => `This ${what} is not there any more.`)
    .replace(named, (whole: string, what: string) => `${/^[A-Z]/.test(whole) ? "This" : "this"} ${what}`)
    .replace(alone, (_, kind: string, at: number, whole: string) => {
      const begins = /(?:^|[.!?]\s+)$/.test(whole.slice(0, at));
      return `${begins ? "This" : "this"} ${NAMES[kind] ?? "one"}`;
    })
    .replace(/\bby user\b/g, "by you");
}

/** Returns the sentences that name no command of a terminal. An option has the name of its field. */
export function withoutCommands(text: string): string {
  const sentences = text.split(/(?<=[.!?])\s+/);
  return sentences
    .filter((sentence) => !/\bagent-worker [a-z]/.test(sentence))
    .join(" ")
    .replaceAll("with --tag", "with another tag");
}

/** A limit ended a chain of messages. A new message of a person begins a new one. */
export function isChainStop(text: string): boolean {
  return /Go on with: agent-worker send /.test(text);
}

/** Returns the id of the approval that a notice asks for. */
export function announcedApproval(text: string): string | undefined {
  return /agent-worker approve (apr_\w+)/.exec(text)?.[1];
}
