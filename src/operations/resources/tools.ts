import { createResource } from "./create-resource.ts";
import { readResource } from "./read-resource.ts";
import { paginateText } from "../tools/paginate-text.ts";
import { teamTool } from "../tools/team-tool.ts";

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
      ask(readResource, args, (page) => paginateText(`${page.id} (${page.type}, from ${page.createdBy})`, page)),
  }),
];
