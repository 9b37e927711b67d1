import type { Client } from "../../../client/client.ts";
import type { OperationName } from "../../../contract/operations.ts";
import { routes } from "../../../contract/routes.gen.ts";
import { EXIT } from "../../../contract/service/errors.ts";
import { hintForUnknown } from "../../../kernel/closest.ts";
import { textArgument } from "../../arguments/text-argument.ts";
import { UsageError } from "../../arguments/usage-error.ts";
import { defineCommand } from "../../command.ts";
import { Refused } from "../../refused.ts";

/** Calls any operation of the contract from the shell. */
export const call = defineCommand({
  about: "Calls an operation of the project by name, as the person you are. Without a name it lists the operations.",
  words: ["[OPERATION]", "[JSON]"],
  examples: [
    `agent-worker call send-message '{"to": "alice", "message": "hello"}'`,
    "echo '{}' | agent-worker call list-agents -",
  ],

  async run(invocation) {
    const { words, terminal, json } = invocation;
    const [name, text] = words;
    if (name === undefined) {
      const listed = (await import("../../../contract/operations.ts")).operations.map(({ name, summary }) => ({
        name,
        summary,
      }));
      const lines = listed.map((each) => `${each.name}\n  ${each.summary}\n`);
      return invocation.print(listed, lines.join(""));
    }
    if (!isOperation(name)) {
      const names = routes.map(({ operation }) => operation);
      const hint = hintForUnknown(name, names, "operations");
      throw new Refused({ code: "not_found", message: `There is no operation "${name}".`, hint });
    }
    const input = parseInput(await textArgument(text, terminal));
    const value = await invocation.call(name, input);
    terminal.print(`${JSON.stringify(value, null, json ? 0 : 2)}\n`);
    return EXIT.ok;
  },
});

function isOperation(name: string): name is OperationName {
  return routes.some(({ operation }) => operation === name);
}

/** The operation validates the input. */
function parseInput(text: string | undefined): Parameters<Client["call"]>[1] {
  if (text === undefined) return {};
  let input: unknown;
  try {
    input = JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch (error) {
    throw new UsageError(`JSON is not valid: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (typeof input !== "object" || input === null || Array.isArray(input)) {
    throw new UsageError("JSON must be an object: the input of the operation.");
  }
  return input;
}
