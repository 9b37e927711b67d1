import { isImageType } from "../../domain/message/image.ts";
import { formatTextPage } from "../tools/format-text-page.ts";
import { teamTool } from "../tools/team-tool.ts";
import { createResource } from "./create-resource.ts";
import { readResource } from "./read-resource.ts";

export const resourceTools = [
  teamTool({
    name: "resource_create",
    description: "Store a long text and get an id, to name it in a message.",
    input: { content: createResource.input.shape.content, type: createResource.input.shape.type },
    shown: { type: null },
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
    description: "Read a resource, in parts when it is long.",
    input: {
      id: readResource.input.shape.id,
      offset: readResource.input.shape.offset.describe("Characters to skip."),
      limit: readResource.input.shape.limit,
    },
    shown: { limit: null },
    uses: [readResource],
    call: (args, ask) =>
      ask(readResource, args, (page) => {
        const what = `${page.id} (${page.type}, from ${page.createdBy})`;
        if (page.encoding === "utf8") return formatTextPage(what, page);
        if (isImageType(page.type))
          return `${what} is an image of ${page.bytes} bytes. A model is shown an image when the message that names it is for its agent: write [resource:${page.id}] in a message to whom should see it.`;
        return `${what} is ${page.bytes} bytes that are no text, so it cannot be shown here. A person can open it.`;
      }),
  }),
];
