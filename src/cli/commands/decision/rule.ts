import type { OperationInput } from "../../../contract/operations.ts";
import type { RuleView } from "../../../contract/rules.ts";
import { oneOf } from "../../arguments/one-of.ts";
import { EXPECTED_SPACE } from "../../arguments/option.ts";
import { UsageError } from "../../arguments/usage-error.ts";
import { wholeNumber } from "../../arguments/whole-number.ts";
import { defineCommand, type CommandGroup } from "../../command.ts";
import { countOf } from "../../output/count-of.ts";
import { formatSpace } from "../../output/format-space.ts";

const EVENTS = ["message", "document", "ballot"] as const;
const STATES = ["resolved", "rejected", "expired", "cancelled"] as const;

const add = defineCommand({
  about: [
    "Adds a rule to a workspace, from now on: when something happens there, something is proposed. Texts may hold",
    "${{ message.from }}, ${{ message.text }}, ${{ document.file }}, ${{ ballot.title }}, ${{ ballot.winner }} and the like.",
  ].join("\n"),
  words: ["TARGET", "NAME"],
  options: {
    on: { value: "WHAT", about: "message (default), document or ballot" },
    from: { value: "NAME", about: "Only what this one said or wrote; user is you" },
    contains: { value: "TEXT", about: "Only messages that hold this text" },
    mentions: { value: "NAME", about: "Only messages that call this one" },
    file: { value: "FILE", about: "Only this document" },
    state: { value: "STATE", about: "Only ballots that ended so: resolved, rejected, expired, cancelled" },
    winner: { value: "OPTION", about: "Only ballots this option won" },
    say: { value: "TEXT", about: "Then say this; @name calls that agent" },
    to: { value: "NAME", about: "With --say: to this agent instead of the channel" },
    then: {
      value: "OPERATION",
      about: "Then propose this: create-ballot, set-document-owner, close-workspace, or a proposal of your own",
    },
    data: { value: "JSON", about: "With --then: its input" },
    most: { value: "N", about: "Rest after acting so often with no word from you (20)" },
  },
  examples: [
    "agent-worker rule add @review tell-alice --from bob --contains ready --say '@alice please look: ${{ message.text }}'",
    `agent-worker rule add @desk late --contains late --then take_duty --data '{"until": "22:00"}'`,
  ],

  async run({ words: [target, name = ""], options, call, print }) {
    const added = await call("add-rule", {
      target,
      name,
      when: condition(options),
      then: consequence(options),
      most: wholeNumber("--most", options.most),
    });
    return print(added, () => `Added.\n${ruleText(added)}`);
  },
});

const list = defineCommand({
  about: "Lists the rules of a workspace, or of all: what they wait for, what they propose, how often they acted.",
  words: ["[TARGET]"],
  examples: ["agent-worker rule list", "agent-worker rule list @review"],

  async run({ words: [target], call, print }) {
    const listed = await call("list-rules", { target });
    return print(listed, () => listed.rules.map(ruleText).join("") || "There are no rules.\n");
  },
});

const remove = defineCommand({
  about: "Removes a rule, whoever made it.",
  words: ["ID"],
  options: { target: EXPECTED_SPACE },
  examples: ["agent-worker rule remove rul_0123456789"],

  async run({ words: [id = ""], options: { target }, call, print }) {
    const removed = await call("remove-rule", { id, target });
    return print(removed, `Removed ${removed.name}.\n`);
  },
});

export const rule: CommandGroup = {
  about: "Rules: what a workspace does by itself when something happens in it.",
  entries: [
    { name: "add", summary: "Add a rule to a workspace", load: async () => add },
    { name: "list", summary: "List the rules", load: async () => list },
    { name: "remove", summary: "Remove a rule", load: async () => remove },
  ],
};

type RuleOptions = Readonly<Record<string, string | undefined>>;

function condition(options: RuleOptions): OperationInput<"add-rule">["when"] {
  const on = oneOf("--on", options["on"], EVENTS) ?? "message";
  const { from, contains, mentions, file, winner } = options;
  const state = oneOf("--state", options["state"], STATES);
  const filters = { from, contains, mentions, file, state, winner };
  const allowed: Readonly<Record<typeof on, readonly string[]>> = {
    message: ["from", "contains", "mentions"],
    document: ["from", "file"],
    ballot: ["state", "winner"],
  };
  const misplaced = Object.entries(filters).find(([key, value]) => value !== undefined && !allowed[on].includes(key));
  if (misplaced !== undefined) throw new UsageError(`--${misplaced[0]} does not go with --on ${on}.`);
  if (on === "message") return { on, from, contains, mentions };
  return on === "document" ? { on, from, file } : { on, state, winner };
}

function consequence({ say, to, then, data }: RuleOptions): OperationInput<"add-rule">["then"] {
  if ((say === undefined) === (then === undefined)) {
    throw new UsageError("A rule does one thing.", "Give --say TEXT, or --then OPERATION with --data JSON.");
  }
  if (say !== undefined) {
    if (data !== undefined) throw new UsageError("--data does not go with --say.");
    return { propose: "send-message", data: { message: say, ...(to === undefined ? {} : { to }) } };
  }
  if (to !== undefined) throw new UsageError("--to goes with --say.");
  return { propose: then ?? "", data: parseData(data ?? "{}") };
}

function parseData(text: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new UsageError(`--data is not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new UsageError("--data must be an object.");
  }
  return { ...value };
}

function ruleText({ id, space, name, author, when, then, total, resting, lastRefusal }: RuleView): string {
  const { on, ...filters } = when;
  const terms = Object.entries(filters).flatMap(([key, value]) => (value === undefined ? [] : [`${key} ${value}`]));
  const acted = resting ? "rests until you write there" : `acted ${countOf(total, "time")}`;
  const refused = lastRefusal === null ? "" : `  last time it was refused: ${lastRefusal}\n`;
  return (
    `${id}  ${name} in ${formatSpace(space)}, by ${author}, ${acted}\n` +
    `  when: ${[on, ...terms].join(", ")}\n` +
    `  then: ${then.propose} ${JSON.stringify(then.data)}\n${refused}`
  );
}
