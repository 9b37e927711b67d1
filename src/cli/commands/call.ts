import { parseArgs } from "node:util";
import { EXIT } from "../../contract/errors.ts";
import { findOperation, listOperations, openLocalProject } from "../../daemon/local-project.ts";
import { person } from "../../kernel/caller.ts";
import { UsageError, type Command } from "../command.ts";
import { projectFolder } from "../project-folder.ts";
import { reportRefusal } from "../refusal-text.ts";

/** The whole table of contents from the shell: what the faces are made from, without a face. */
export const call: Command = {
  name: "call",
  summary: "Call an operation of the project by name, as the person you are. Without a name: list the operations.",
  usage: "call [OPERATION] [JSON | -] [--project DIR] [--json]",
  example: `agent-worker call send-message '{"to": "alice", "message": "hello"}'`,

  async run(args, terminal) {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { project: { type: "string" }, json: { type: "boolean", default: false } },
    });
    const [name, text, ...more] = positionals;
    if (more.length > 0) throw new UsageError("call takes an operation and one JSON argument; quote the JSON.");
    if (name === undefined) {
      const listed = listOperations();
      const lines = listed.map((each) => `${each.name}\n  ${each.summary}\n`);
      terminal.out.write(values.json ? `${JSON.stringify(listed)}\n` : lines.join(""));
      return EXIT.ok;
    }
    const operation = findOperation(name);
    if (!operation.ok) return reportRefusal(terminal, operation.error, values.json);
    const dir = projectFolder(terminal, values.project);
    const input = parseInput(text === "-" ? await terminal.stdin() : text);

    await using local = await openLocalProject(dir);
    const result = await local.call(person, operation.value, input);
    if (!result.ok) return reportRefusal(terminal, result.error, values.json);
    terminal.out.write(`${JSON.stringify(result.value, null, values.json ? 0 : 2)}\n`);
    return EXIT.ok;
  },
};

function parseInput(text: string | undefined): unknown {
  if (text === undefined) return {};
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch (error) {
    throw new UsageError(`The argument is not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
}
