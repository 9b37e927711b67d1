import { EXIT } from "../../../contract/service/errors.ts";
import { DEFINITION_KINDS, jsonSchema } from "../../../files/definitions/schema/json-schema.ts";
import { defineCommand } from "../../command.ts";
import { oneOf } from "../../arguments/one-of.ts";

export const schema = defineCommand({
  about: "Prints the JSON Schema (draft 7) of a definition file, for editors and other tools.",
  words: [DEFINITION_KINDS.join("|")],
  examples: ["agent-worker schema workflow > workflow.schema.json"],

  async run({ words: [kind = ""], terminal }) {
    terminal.print(`${JSON.stringify(jsonSchema(oneOf("The kind", kind, DEFINITION_KINDS)), null, 2)}\n`);
    return EXIT.ok;
  },
});
