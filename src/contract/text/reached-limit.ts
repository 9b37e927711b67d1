/** A limit that stopped the work, as the reason of a dead letter or a notice names it. */
export interface ReachedLimit {
  /** Whose limit it is: that of an agent, of a workspace, or of a chain of messages. */
  readonly of: "agent" | "workspace" | "chain";
  readonly name: "turns" | "tokens" | "dollars" | "time" | "hops";
  /** As a file has it: a number, or a duration. */
  readonly maximum: number | string;
}

/** Returns the limit in the words of `domain/budget/allowance.ts` and `domain/causal/budget.ts`; undefined for any other text. */
export function reachedLimitIn(text: string): ReachedLimit | undefined {
  const chain = /^This chain of messages has reached its limit of (\d+) (hop|turn|token)s?\./.exec(text);
  if (chain !== null) return { of: "chain", name: PLURALS[chain[2] ?? ""] ?? "hops", maximum: Number(chain[1]) };
  const budget = /^The budget of \S+( for (?:one run|\S+ \(UTC\)))? is used up: (.+?)\.(?: |$)/.exec(text);
  const limit = budget === null ? undefined : amountIn(budget[2] ?? "");
  return limit === undefined ? undefined : { of: budget?.[1] === undefined ? "workspace" : "agent", ...limit };
}

const PLURALS: Readonly<Record<string, "hops" | "turns" | "tokens">> = {
  hop: "hops",
  turn: "turns",
  token: "tokens",
};

function amountIn(words: string): Pick<ReachedLimit, "name" | "maximum"> | undefined {
  const dollars = /^\$(\d+(?:\.\d+)?)$/.exec(words)?.[1];
  if (dollars !== undefined) return { name: "dollars", maximum: Number(dollars) };
  const time = /^(\S+) of work$/.exec(words)?.[1];
  if (time !== undefined) return { name: "time", maximum: time };
  const [, number, unit] = /^(\d+) (turn|token)s?$/.exec(words) ?? [];
  const name = PLURALS[unit ?? ""];
  return name === undefined ? undefined : { name, maximum: Number(number) };
}
