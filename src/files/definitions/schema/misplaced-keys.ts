import type { ExplainKey } from "./check-schema.ts";
import { isRefEntry } from "./workflow-schema.ts";

const AGENT_FILE_ONLY = new Set(["soul", "system_prompt", "memory", "context", "system", "system_file"]);

/** Explains keys that people often write in the wrong place: old names, and keys of another kind of agent. */
export const explainMisplacedKey: ExplainKey = (path, key, parent) => {
  const inEntry = path[0] === "agents" && path.length === 2;
  const inPrompt = path.at(-1) === "prompt";
  if (path.length === 0 && key === "tasks") {
    return {
      message: `"tasks" was replaced by "setup" and "kickoff".`,
      hint: "Move shell steps to setup: and write what to say, with @mentions, in kickoff:.",
    };
  }
  if (AGENT_FILE_ONLY.has(key) && ((inEntry && isRefEntry(parent)) || inPrompt)) {
    return {
      message: `An agent taken by ref keeps its own "${key}".`,
      hint: "Add to its prompt with prompt.append, or drop ref to define another agent here.",
    };
  }
  if (inPrompt && key === "append") {
    return { message: `"append" is for agents taken by ref.`, hint: "Write system: or system_file:." };
  }
  if (inEntry && typeof path[1] === "string" && key === "context") {
    return {
      message: "An agent defined in a workflow has no personal context.",
      hint: "Define it in .agents/ and take it by ref.",
    };
  }
  if (inEntry && typeof path[1] === "string" && key === "name") {
    return { message: `The name of this agent is "${path[1]}", the key above.`, hint: "Remove name:." };
  }
  return undefined;
};
