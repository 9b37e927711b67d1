import { defineCommand } from "../../command.ts";

export const clear = defineCommand({
  about: "Lets an agent start afresh: its conversations are set aside in its archive folder. Nothing is deleted.",
  words: ["NAME"],
  examples: ["agent-worker clear alice"],

  async run({ words: [agent = ""], call, print }) {
    const cleared = await call("clear-conversation", { agent });
    return print(cleared, () => {
      const { archived } = cleared;
      if (archived.length === 0) return `${cleared.agent} had no conversations.\n`;
      return `${cleared.agent} starts afresh. Set aside:\n${archived.map((file) => `  ${file}\n`).join("")}`;
    });
  },
});
