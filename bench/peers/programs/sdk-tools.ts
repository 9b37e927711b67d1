import { jsonSchema, tool, type ToolSet } from "ai";
import { LOOK, PASS } from "../setup.ts";

const inputSchema = jsonSchema<object>({ type: "object", properties: {}, additionalProperties: false });
const look = { description: LOOK.description, inputSchema };
const pass = { description: PASS.description, inputSchema };

/** The two tools, for programs on the AI SDK. */
export const sdkTools: ToolSet = {
  [LOOK.name]: tool({ ...look, execute: async () => LOOK.answer }),
  [PASS.name]: tool({ ...pass, execute: async () => "" }),
};

/** The same, for a program that calls them itself. */
export const sdkToolShapes: ToolSet = { [LOOK.name]: tool(look), [PASS.name]: tool(pass) };
