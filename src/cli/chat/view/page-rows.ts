import type { Line } from "../../screen/span.ts";
import { wrapLine } from "../../screen/wrap-line.ts";
import type { ChatState } from "../model/chat-state.ts";
import { paneArea } from "./pane-area.ts";

const HANGING = 4;

/** The lines of a page as they are broken on the screen. */
export function pageRows({ lines }: Pick<NonNullable<ChatState["page"]>, "lines">, columns: number): Line[] {
  return lines.flatMap((each) => wrapLine(each, columns, HANGING));
}

/** How many of them are shown at a time: all rows of the panes but the title and the last. */
export function pageHeight(state: ChatState): number {
  return Math.max(1, paneArea(state).rows - 2);
}
