import { homeFolder } from "../../../client/home.ts";
import { defineCommand } from "../../command.ts";
import { keyVariable } from "./key-variable.ts";

export const logout = defineCommand({
  about: "Removes a key that login has kept. A key in the environment of the daemon stays.",
  words: ["PROVIDER"],
  secretWords: true,
  examples: ["agent-worker logout anthropic"],

  async run({ words: [name = ""], terminal, print }) {
    const variable = keyVariable(name);
    const { removeKey } = await import("../../../daemon/keys/stored-keys.ts");
    const removed = await removeKey({ home: homeFolder(terminal.env), env: terminal.env }, variable);
    return print(
      { provider: name, variable, removed },
      removed ? `Removed ${variable}. The daemon does not use it any more.\n` : `No key is kept for ${name}.\n`,
    );
  },
});
