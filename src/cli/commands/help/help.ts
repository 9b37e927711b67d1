import { UsageError } from "../../arguments/usage-error.ts";
import { defineCommand } from "../../command.ts";
import { guideText } from "./guide-text.ts";
import { paintFor } from "../../output/paint.ts";
import { listGuides } from "../../output/guides.ts";

export const help = defineCommand({
  about: [
    "Shows how to use a command, or a guide. Without a word it lists the commands; help topics lists the guides.",
    "When a guide has the name of a command, help topics NAME shows the guide.",
  ].join("\n"),
  words: ["[COMMAND|TOPIC]", "[TOPIC]"],
  examples: ["agent-worker help run", "agent-worker help topics", "agent-worker help workflows"],

  async run({ words: [first = "topics", second], terminal, print }) {
    const guides = listGuides();
    const wanted = first === "topics" ? second : first;
    if (wanted === undefined) {
      const width = Math.max(...guides.map(({ topic }) => topic.length));
      return print({ topics: guides.map(({ topic, title }) => ({ topic, title })) }, () =>
        [
          ...guides.map(({ topic, title }) => `${topic.padEnd(width)}  ${title}`),
          "",
          "Read one: agent-worker help TOPIC",
          "",
        ].join("\n"),
      );
    }
    const guide = guides.find(({ topic }) => topic === wanted);
    if (guide === undefined) {
      const topics = guides.map(({ topic }) => topic);
      throw new UsageError(`There is no command and no topic "${wanted}".`, `Topics: ${topics.join(", ")}.`, {
        given: wanted,
        among: topics,
      });
    }
    return print(guide, () => guideText(guide.text, paintFor(terminal)));
  },
});
