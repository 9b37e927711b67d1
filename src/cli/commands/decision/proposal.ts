import { startsAsConsequence } from "../../../domain/ballot/named-consequence.ts";
import { oneOf } from "../../arguments/one-of.ts";
import { EXPECTED_SPACE, LIMIT } from "../../arguments/option.ts";
import { wholeNumber } from "../../arguments/whole-number.ts";
import { defineCommand, type CommandGroup } from "../../command.ts";
import { ballotLine, ballotText } from "./ballot-text.ts";

const TYPES = ["election", "decision", "approval", "assignment"] as const;
const RULES = ["plurality", "majority", "unanimous"] as const;
const TIES = ["first", "random", "creator"] as const;

const list = defineCommand({
  about: "Lists the open ballots of a workspace, newest first.",
  words: ["TARGET"],
  options: {
    all: { about: "Closed ones too" },
    limit: LIMIT,
  },
  examples: ["agent-worker proposal list @review", "agent-worker proposal list @review:pr-1 --all"],

  async run({ words: [target], options, call, print }) {
    const limit = wholeNumber("-n", options.limit);
    const { ballots } = await call("list-ballots", { target, all: options.all, limit });
    const none = options.all ? "There were no ballots.\n" : "No ballot is open; --all shows the closed ones.\n";
    return print({ ballots }, () => ballots.map(ballotLine).join("") || none);
  },
});

const show = defineCommand({
  about: "Shows a ballot: its options with their votes, the reasons, and who has not voted.",
  words: ["ID"],
  examples: ["agent-worker proposal show bal_0123456789"],

  async run({ words: [id = ""], call, print }) {
    const ballot = await call("show-ballot", { id });
    return print(ballot, () => ballotText(ballot));
  },
});

const create = defineCommand({
  about: "Asks the participants of a workspace to decide by vote. You have a vote yourself if you invite `user`.",
  words: ["TARGET", "TITLE"],
  options: {
    type: { value: "TYPE", about: `${TYPES.join(", ")} (decision)` },
    option: {
      short: "o",
      value: "LABEL[=THEN]",
      many: true,
      about: "Something to vote for, and what follows from it; an approval needs none",
    },
    then: {
      value: "THEN",
      about: "What follows for every option, each the name of a participant: document-owner, role: ROLE, assign: TASK",
    },
    resolution: { value: "RULE", about: `${RULES.join(", ")} (plurality)` },
    quorum: { value: "N", about: "Decided when so many have voted (everyone)" },
    timeout: { value: "TIME", about: "How long it stays open (1h)" },
    tie: { value: "TIE", about: `What breaks a tie: ${TIES.join(", ")}` },
    fallback: { value: "LABEL", about: "The option taken when time runs out" },
    binding: { about: "Do what follows from the winner (yes, if anything does)" },
    voter: { value: "NAME", many: true, about: "Who may vote (every participant); user is you" },
  },
  examples: [
    'agent-worker proposal create @review "Merge it?" -o now -o "after the release" --timeout 30m',
    'agent-worker proposal create @review "Who writes?" --type election -o alice -o bob --then document-owner',
    'agent-worker proposal create @review "Fix it?" -o "yes=assign bob: Fix the login" -o no',
  ],

  async run({ words: [target, title = ""], options, call, print }) {
    const { option, voter, timeout, fallback, binding, then } = options;
    const ballot = await call("create-ballot", {
      target,
      title,
      type: oneOf("--type", options.type, TYPES) ?? "decision",
      options: option.length === 0 ? undefined : option.map(splitOption),
      then,
      resolution: oneOf("--resolution", options.resolution, RULES),
      quorum: wholeNumber("--quorum", options.quorum),
      timeout,
      tie: oneOf("--tie", options.tie, TIES),
      fallback,
      // Without the option the daemon decides: a ballot from which something follows is binding.
      binding: binding ? true : undefined,
      voters: voter.length === 0 ? undefined : [...voter],
    });
    return print(ballot, () => ballotText(ballot));
  },
});

/** `bob=document-owner` is an option with a consequence; `a=b` is only a label. */
function splitOption(written: string): string | { label: string; then: string } {
  const at = written.indexOf("=");
  const then = written.slice(at + 1);
  return at > 0 && startsAsConsequence(then) ? { label: written.slice(0, at), then } : written;
}

const vote = defineCommand({
  about: "Votes in a ballot you were invited to. Voting again replaces your earlier vote.",
  words: ["ID", "OPTION"],
  options: { reason: { value: "TEXT", about: "Shown with your vote" }, target: EXPECTED_SPACE },
  examples: ['agent-worker proposal vote bal_0123456789 now --reason "It is ready"'],

  async run({ words: [id = "", option = ""], options: { reason, target }, call, print }) {
    const ballot = await call("cast-vote", { id, option, reason, target });
    return print(ballot, () => ballotText(ballot));
  },
});

const cancel = defineCommand({
  about: "Cancels an open ballot.",
  words: ["ID"],
  options: { target: EXPECTED_SPACE },
  examples: ["agent-worker proposal cancel bal_0123456789"],

  async run({ words: [id = ""], options: { target }, call, print }) {
    const ballot = await call("cancel-ballot", { id, target });
    return print(ballot, `Cancelled "${ballot.title}".\n`);
  },
});

export const proposal: CommandGroup = {
  about: "Ballots: what the participants of a workspace decide by vote.",
  entries: [
    { name: "list", summary: "List the open ballots of a workspace", load: async () => list },
    { name: "show", summary: "Show a ballot and its votes", load: async () => show },
    { name: "create", summary: "Ask a workspace to decide", load: async () => create },
    { name: "vote", summary: "Vote in a ballot you were invited to", load: async () => vote },
    { name: "cancel", summary: "Cancel an open ballot", load: async () => cancel },
  ],
};
