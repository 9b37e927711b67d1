import { parseArgs } from "node:util";
import { EXIT } from "../../contract/errors.ts";
import { DEFINITION_KINDS, jsonSchema, type DefinitionKind } from "../../files/definitions/json-schema.ts";
import { UsageError, type Command } from "../command.ts";

export const schema: Command = {
  name: "schema",
  summary: "Print the JSON Schema (draft 7) of a definition file, for editors and other tools.",
  usage: `schema ${DEFINITION_KINDS.join("|")}`,
  example: "agent-worker schema workflow > workflow.schema.json",

  async run(args, terminal) {
    const { positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { json: { type: "boolean" } },
    });
    const [kind, ...more] = positionals;
    if (!isKind(kind) || more.length > 0) throw new UsageError(`schema takes one of ${DEFINITION_KINDS.join(", ")}.`);
    terminal.out.write(`${JSON.stringify(jsonSchema(kind), null, 2)}\n`);
    return EXIT.ok;
  },
};

function isKind(text: string | undefined): text is DefinitionKind {
  return DEFINITION_KINDS.some((kind) => kind === text);
}
