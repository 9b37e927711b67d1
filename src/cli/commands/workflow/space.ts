import type { SubSpaceView } from "../../../contract/spaces/sub-spaces.ts";
import { defaultSpace } from "../../arguments/default-target.ts";
import { textArgument } from "../../arguments/text-argument.ts";
import { UsageError } from "../../arguments/usage-error.ts";
import { defineCommand, type CommandGroup } from "../../command.ts";
import { paintFor } from "../../output/paint.ts";
import { formatTable } from "../../output/table.ts";
import { shortened } from "../../output/visible-text.ts";

const SHORT = 80;

const list = defineCommand({
  about: "Lists the spaces of a workspace, closed ones too: who talks there, what for, and who opened it.",
  words: ["[TARGET]"],
  examples: ["agent-worker space list", "agent-worker space list @review"],

  async run(invocation) {
    const target = invocation.words[0] ?? (await defaultSpace(invocation));
    const { spaces } = await invocation.call("list-spaces", { target });
    return invocation.print({ spaces }, () => {
      if (spaces.length === 0) return `There are no spaces in ${target}.\n`;
      return formatTable(
        paintFor(invocation.terminal),
        ["SPACE", "STATE", "MEMBERS", "OPENED BY", "PURPOSE"],
        spaces.map(spaceRow),
      );
    });
  },
});

const open = defineCommand({
  about: [
    "Opens a space beside the channel of a workspace, where some of its participants talk. They are woken there with the",
    "purpose, which is its first message. Read it with peek @review/design, write in it with send @review/design TEXT.",
  ].join("\n"),
  words: ["TARGET", "PURPOSE"],
  options: {
    with: { value: "NAMES", about: "Who talks there, as alice,bob" },
  },
  examples: ['agent-worker space open @review/design "Which of the two drafts do we take?" --with alice,bob'],

  async run({ words: [target, written = ""], options, call, print, terminal }) {
    const members = (options.with ?? "").split(/[\s,]+/).filter((name) => name !== "");
    if (members.length === 0) {
      throw new UsageError("Nobody would talk there.", "Name them: --with alice,bob (agent-worker ls lists them).");
    }
    const purpose = await textArgument(written, terminal);
    const opened = await call("open-space", { target, members, purpose });
    return print(opened, `Opened ${opened.address} with ${opened.members.join(", ")}.\n`);
  },
});

const close = defineCommand({
  about: [
    "Closes a space for good, and says in the channel of its workspace what came of it. Who works there goes on to the end",
    "of what it is doing, what waits there is dropped, and it can still be read.",
  ].join("\n"),
  words: ["SPACE", "[OUTCOME]"],
  examples: ['agent-worker space close @review/design "We take the second draft."'],

  async run({ words: [space = "", written], call, print, terminal }) {
    const outcome = written === undefined ? undefined : await textArgument(written, terminal);
    const closed = await call("close-space", { space, outcome });
    return print(closed, `Closed ${closed.address}.\n`);
  },
});

export const space: CommandGroup = {
  about: "Spaces: channels beside that of a workspace, for some of its participants.",
  entries: [
    { name: "list", summary: "List the spaces of a workspace", load: async () => list },
    { name: "open", summary: "Open a space for some participants", load: async () => open },
    { name: "close", summary: "Close a space and say what came of it", load: async () => close },
  ],
};

function spaceRow({ address, state, members, openedBy, purpose }: SubSpaceView): string[] {
  return [address, state, members.join(" "), openedBy ?? "", shortened(purpose ?? "", SHORT)];
}
