import { ownVersion } from "../../../client/own-version.ts";
import { defineCommand } from "../../command.ts";

export const version = defineCommand({
  about: "Prints the version of the program, as --version does.",
  examples: ["agent-worker version"],
  run: async ({ print }) => print({ version: ownVersion() }, `${ownVersion()}\n`),
});
