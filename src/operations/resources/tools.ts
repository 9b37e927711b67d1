import { formatTextPage } from "../tools/format-text-page.ts";
import { teamTool } from "../tools/team-tool.ts";
import { createResource } from "./create-resource.ts";
import { readResource } from "./read-resource.ts";

export const resourceTools = [
  teamTool({
    name: "resource_create",
    description: createResource.summary,
    input: { content: createResource.input.shape.content, type: createResource.input.shape.type },
    uses: [createResource],
    returnsUntrusted: false,
    call: (args, ask) =>
      ask(
        createResource,
        args,
        ({ id, bytes }) => `Kept ${bytes} bytes. Refer to it in a message as [resource:${id}].`,
      ),
  }),
  teamTool({
    name: "resource_read",
    description: readResource.summary,
    input: {
      id: readResource.input.shape.id,
      offset: readResource.input.shape.offset,
      limit: readResource.input.shape.limit,
    },
    uses: [readResource],
    call: (args, ask) =>
      ask(readResource, args, (page) => {
        const what = `${page.id} (${page.type}, from ${page.createdBy})`;
        if (page.encoding === "utf8") return formatTextPage(what, page);
        return `${what} is ${page.bytes} bytes that are no text, so it cannot be shown here. A person can open it.`;
      }),
  }),
];
