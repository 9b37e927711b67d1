import { homeFolder } from "../../../client/home.ts";
import { oneOf } from "../../arguments/one-of.ts";
import { UsageError } from "../../arguments/usage-error.ts";
import { defineCommand } from "../../command.ts";
import type { Terminal } from "../../output/terminal.ts";
import { keyVariable } from "./key-variable.ts";

export const login = defineCommand({
  about: [
    "Keeps the key of a provider, for all your projects. The daemon uses it from the next run on, without a restart.",
    "The key is asked for, or read from standard input: never give it as an argument. It is kept in the keyring of the",
    "system if there is one, or else in a file of the home that only you can read. Instead of a provider you can name",
    "a variable, for an agent with api_key: $NAME. A key that is kept comes before one in the environment.",
  ].join("\n"),
  words: ["PROVIDER"],
  secretWords: true,
  options: { in: { value: "PLACE", about: "Where to keep it: keyring (if there is one) or file" } },
  examples: ["agent-worker login anthropic", "agent-worker login openai < key.txt"],

  async run({ words: [name = ""], options, terminal, print }) {
    const variable = keyVariable(name);
    const place = oneOf("--in", options.in, ["keyring", "file"]) ?? "keyring";
    const value = checkKey(await readKey(terminal, name));
    const { storeKey } = await import("../../../daemon/keys/stored-keys.ts");
    const home = homeFolder(terminal.env);
    const kept = await storeKey({ home, env: terminal.env }, variable, value, place);
    const where = kept === "keyring" ? "the keyring of the system" : `${home}, in a file that only you can read`;
    return print(
      { provider: name, variable, place: kept },
      `Kept ${variable} in ${where}. The daemon uses it from the next run on.\n`,
    );
  },
});

async function readKey(terminal: Terminal, name: string): Promise<string> {
  if (!terminal.interactive) return terminal.stdin();
  const { askSecret } = await import("../../prompts/ask-secret.ts");
  const answer = await askSecret(`The key of ${name}`);
  if (answer === undefined) throw new UsageError("No key was given, and nothing was kept.");
  return answer;
}

const MAX_CHARS = 8_192;

function checkKey(text: string): string {
  const key = text.trim();
  if (key === "") throw new UsageError("The key is empty.", "Type it when asked, or give it on standard input.");
  if (key.length > MAX_CHARS || !/^[\x21-\x7e]+$/.test(key)) {
    throw new UsageError("This is not a key: a key is one word without spaces.");
  }
  return key;
}
