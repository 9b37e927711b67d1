import { hintForUnknown } from "../kernel/closest.ts";
import { toolAnswer, type ToolAnswer } from "./tool-answer.ts";

/** An answer and not an error of the protocol: a model that mistook a name can read it and try again. */
export function unknownTool(name: string, offered: readonly string[]): ToolAnswer {
  return toolAnswer(`There is no tool called "${name}".\n${hintForUnknown(name, offered, "tools")}`, { isError: true });
}
