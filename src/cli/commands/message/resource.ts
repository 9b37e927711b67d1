import { EXIT } from "../../../contract/service/errors.ts";
import { defineCommand, type CommandGroup } from "../../command.ts";
import { readResource } from "./read-resource.ts";

const show = defineCommand({
  about: "Prints the content of a resource: what a message was too long to hold, under the id the message names.",
  words: ["ID"],
  options: { target: { value: "TARGET", about: "Only if it is known there" } },
  examples: ["agent-worker resource show res_0123456789abcdef0123456789abcdef > whole.txt"],

  async run({ words: [id = ""], options: { target }, json, terminal, call, print }) {
    const parts = readResource(call, id, target);
    if (!json) {
      for await (const { content } of parts) terminal.printContent(content);
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
