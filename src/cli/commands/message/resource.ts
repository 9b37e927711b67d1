import { EXIT } from "../../../contract/service/errors.ts";
import { UsageError } from "../../arguments/usage-error.ts";
import { defineCommand, type CommandGroup } from "../../command.ts";
import { readResource } from "./read-resource.ts";

const show = defineCommand({
  about: [
    "Prints the content of a resource: what a message was too long to hold, under the id the message names.",
    "A file that was sent with send --file is printed with the same bytes.",
  ].join("\n"),
  words: ["ID"],
  options: { target: { value: "TARGET", about: "Only if it is known there" } },
  examples: ["agent-worker resource show res_0123456789abcdef0123456789abcdef > whole.txt"],

  async run({ words: [id = ""], options: { target }, json, terminal, call, print }) {
    const parts = readResource(call, id, target);
    if (!json) {
      for await (const { id: found, content, encoding, type, bytes } of parts) {
        if (encoding === "base64" && terminal.columns !== undefined) {
          throw new UsageError(
            `${found} is ${bytes} bytes (${type}) that are no text.`,
            `Write them to a file: agent-worker resource show ${found} > FILE`,
          );
        }
        // A part is as long as a multiple of four characters, which are three bytes.
        terminal.printContent(encoding === "base64" ? Buffer.from(content, "base64") : content);
      }
      return EXIT.ok;
    }
    let whole: object = {};
    let content = "";
    for await (const { next: _, offset: __, content: part, ...resource } of parts) {
      whole = resource;
      content += part;
    }
    return print({ ...whole, content }, "");
  },
});

export const resource: CommandGroup = {
  about: "Large content, kept under the hash of itself.",
  entries: [{ name: "show", summary: "Print the content of a resource", load: async () => show }],
};
