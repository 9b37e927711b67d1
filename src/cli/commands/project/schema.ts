import { EXIT } from "../../../contract/service/errors.ts";
import { DEFINITION_KINDS, jsonSchema, SCHEMA_FOLDER } from "../../../files/definitions/schema/json-schema.ts";
import { enclosingProject } from "../../../files/project/find-project.ts";
import { renewModelines, writeSchemas } from "../../../files/project/write-schemas.ts";
import { oneOf } from "../../arguments/one-of.ts";
import { UsageError } from "../../arguments/usage-error.ts";
import { defineCommand } from "../../command.ts";
import { Refused } from "../../refused.ts";

export const schema = defineCommand({
  about: [
    "Prints the JSON Schema (draft 7) of a definition file, for editors and other tools.",
    `With --write, writes all of them into ${SCHEMA_FOLDER}/ of the project, where the first line of a definition names`,
    "them. Commit that folder, so that a clone has it. Do it again after an update of the program.",
  ].join("\n"),
  words: [`[${DEFINITION_KINDS.join("|")}]`],
  options: { write: { about: "Write the schemas into the project" } },
  examples: ["agent-worker schema workflow > workflow.schema.json", "agent-worker schema --write"],

  async run({ words: [kind], options, terminal, projectDir, print }) {
    if (!options.write) {
      if (kind === undefined)
        throw new UsageError(`KIND is missing: ${DEFINITION_KINDS.join(", ")}.`, "Or: agent-worker schema --write");
      terminal.print(`${JSON.stringify(jsonSchema(oneOf("The kind", kind, DEFINITION_KINDS)), null, 2)}\n`);
      return EXIT.ok;
    }
    const dir = projectDir();
    if (enclosingProject(dir, terminal.env["HOME"]) === undefined) {
      throw new Refused({
        code: "not_found",
        message: `${dir} is not a project, so nothing was written.`,
        hint: "Go to a project, or make one here: agent-worker init",
      });
    }
    const written = await writeSchemas(dir);
    if (!written.ok) throw new Refused(written.error);
    const renewed = await renewModelines(dir);
    const files = DEFINITION_KINDS.map((each) => `${SCHEMA_FOLDER}/${each}.json`);
    return print({ project: dir, written: files, renewed }, () =>
      [
        ...files.map((file) => `  wrote  ${file}\n`),
        ...renewed.map((file) => `  changed the first line of  ${file}\n`),
        "Commit them, so that editors find them in a clone too.\n",
      ].join(""),
    );
  },
});
