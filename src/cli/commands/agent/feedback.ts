import { LIMIT } from "../../arguments/option.ts";
import { wholeNumber } from "../../arguments/whole-number.ts";
import { defineCommand, type CommandGroup } from "../../command.ts";
import { formatSpace } from "../../output/format-space.ts";

const list = defineCommand({
  about: "Lists what agents said about the work itself, newest first. Agents with the tool feedback_submit can.",
  options: { limit: LIMIT },
  examples: ["agent-worker feedback list"],

  async run({ options, call, print }) {
    const listed = await call("list-feedback", { limit: wholeNumber("-n", options.limit) });
    return print(listed, () => {
      const lines = listed.feedback.map(({ agent, space, type, description, at }) => {
        const where = space === "" || space === agent ? "" : ` in ${formatSpace(space)}`;
        return `${at}  ${agent}${where} (${type}):\n  ${description.trimEnd().replaceAll("\n", "\n  ")}\n`;
      });
      return lines.join("") || "There is no feedback.\n";
    });
  },
});

export const feedback: CommandGroup = {
  about: "What agents say about the work itself.",
  entries: [{ name: "list", summary: "List the feedback of agents", load: async () => list }],
};
