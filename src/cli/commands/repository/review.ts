import { defineCommand } from "../../command.ts";

export const review = defineCommand({
  about: "Reviews.",
  words: ["[BRANCH|PR]"],
  examples: ["agent-worker review"],
  run: async () => 0,
});
