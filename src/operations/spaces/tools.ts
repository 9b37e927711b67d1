import type { SubSpaceView } from "../../contract/spaces/sub-spaces.ts";
import { asLine } from "../../guard/context/section-markup.ts";
import { formatMessage } from "../tools/format-message.ts";
import { teamTool } from "../tools/team-tool.ts";
import { closeSpace } from "./close-space.ts";
import { listSpaces } from "./list-spaces.ts";
import { openSpace } from "./open-space.ts";

const { target: _target, ...openFields } = openSpace.input.shape;
const { name, limit } = listSpaces.input.shape;

/** Who has `space_open` has the other two as well: see `domain/agent/tool-choice.ts`. */
export const spaceTools = [
  teamTool({
    name: "space_open",
    description: "Open a space beside the channel, to work on something with a few colleagues.",
    input: openFields,
    uses: [openSpace],
    call: (args, ask) =>
      ask(openSpace, args, (space) => `${spaceLine(space)}\nWrite there with channel_send {"to": "${space.address}"}.`),
  }),
  teamTool({
    name: "space_close",
    description: "Close a space that you opened, and say in the channel what came of it.",
    input: closeSpace.input.shape,
    uses: [closeSpace],
    call: (args, ask) => ask(closeSpace, args, (space) => `Closed ${space.address}.`),
  }),
  teamTool({
    name: "space_list",
    description: "List the spaces of this workspace; with a name also what was said last in that one.",
    input: { name, limit },
    uses: [listSpaces],
    call: (args, ask) =>
      ask(
        listSpaces,
        args,
        ({ spaces, messages }) =>
          [...spaces.map(spaceLine), ...messages.map((each) => formatMessage(each))].join("\n") ||
          "There are no spaces.",
      ),
  }),
];

function spaceLine({ address, state, members, purpose, openedBy }: SubSpaceView): string {
  return `${address} (${state}, by ${openedBy ?? "somebody"}, with ${members.join(", ")}): ${asLine(purpose ?? "")}`;
}
