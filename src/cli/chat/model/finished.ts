import { formatSpace } from "../../output/format-space.ts";
import type { ChatState } from "./chat-state.ts";

/** Whether a space is a workspace that is not open: what was said can be read, and a message reaches nobody. */
export function isFinished({ workspaces, teamKnown }: ChatState, space: string): boolean {
  return teamKnown && space.startsWith("@") && !workspaces.some((each) => each.space === space);
}

/** Says so, and what to type. An earlier instance of a workspace is never opened again. */
export function finishedText(state: ChatState, space: string): string {
  const name = formatSpace(space);
  if (isEarlier(space))
    return `${name} is an earlier instance: it can only be read. Go on with /open ${nameNow(space)}`;
  if (!canStart(state, space)) {
    return `${name} is finished, and this project has no workflow of its name. Go on with: agent-worker start FILE`;
  }
  return `${name} is finished. /start TEXT goes on in it, and /start begins it anew.`;
}

/** Whether `/start` can open it: not an earlier instance, and not one of a file outside the project. */
export function canStart({ workflows }: ChatState, space: string): boolean {
  return !isEarlier(space) && workflows.includes(space.slice(1).split(":", 1)[0] ?? "");
}

function isEarlier(space: string): boolean {
  return space.includes("~");
}

function nameNow(space: string): string {
  return formatSpace(space.slice(0, space.indexOf("~")));
}
