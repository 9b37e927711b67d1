import type { Requirement } from "./requirement.ts";

/** Who an agent is: its definition, its life, and how workflows refer to it. */
export const agents: readonly Requirement[] = [
  {
    id: "agent.file",
    source: ["000"],
    behaviour: "An agent is loaded from `.agents/<name>.yaml` with everything its file says.",
    faces: ["file"],
  },
  {
    id: "agent.name-key",
    source: ["000", "surface"],
    behaviour: "An agent is known by the `name` in its file, and a name outside the pattern is refused with its place.",
    faces: ["file"],
  },
  {
    id: "agent.duplicate",
    source: ["000", "product"],
    behaviour: "Two agents with one name, also when only the case differs, are refused with both places.",
    faces: ["file"],
  },
  {
    id: "agent.backends",
    source: ["000", "001", "surface"],
    behaviour:
      "`backend` takes sdk, claude, codex, cursor, opencode and mock, and any other value is refused with a suggestion.",
    faces: ["file"],
  },
  {
    id: "agent.model-needed",
    source: ["surface", "traps"],
    behaviour: "`model` is required only for engines that cannot choose one themselves.",
    faces: ["file"],
  },
  {
    id: "agent.model-forms",
    source: ["004", "surface"],
    behaviour: "`provider/model`, `provider:model` and the short names of an engine are understood as the same model.",
    faces: ["domain"],
  },
  {
    id: "agent.provider",
    source: ["000", "surface"],
    behaviour:
      "`provider` is a name, or a name with base url and the environment variable of its key; a literal key is refused.",
    faces: ["file"],
  },
  {
    id: "agent.prompt-one",
    source: ["000", "surface"],
    behaviour: "An agent has exactly one of `prompt.system` and `prompt.system_file`; none or both is refused.",
    faces: ["file"],
  },
  {
    id: "agent.system-file",
    source: ["000", "surface"],
    behaviour: "`prompt.system_file` is read relative to the file that names it, and a missing one is reported there.",
    faces: ["file"],
  },
  {
    id: "agent.system-file-confined",
    source: ["traps"],
    behaviour: "A prompt file outside the project is refused.",
    faces: ["file"],
  },
  {
    id: "agent.system-prompt-old",
    source: ["001", "003", "004", "product"],
    behaviour: "The old `system_prompt` works everywhere, as text or as the path of an .md or .txt file.",
    faces: ["file"],
  },
  {
    id: "agent.soul-open",
    source: ["000"],
    behaviour: "A soul takes role, expertise, style, principles and any further key, and keeps them all.",
    faces: ["file"],
  },
  {
    id: "agent.runtime-keys",
    source: ["000", "surface"],
    behaviour:
      "Limits, timeout, schedule, tools, MCP servers, permissions, budget and environment of the file reach the definition.",
    faces: ["file"],
  },
  {
    id: "agent.context-dir",
    source: ["000"],
    behaviour:
      "Personal context lives in `.agents/<name>/` unless `context.dir` names another folder inside the project.",
    faces: ["file"],
  },
  {
    id: "agent.context-folders",
    source: ["000"],
    behaviour: "The folders memory, notes, conversations and todo are made when first needed.",
    faces: ["file"],
  },
  {
    id: "agent.skills-folder",
    source: ["product"],
    behaviour: "`.agents/skills/` is never read as an agent or as anyone's context.",
    faces: ["file"],
  },
  {
    id: "agent.create",
    source: ["000", "surface"],
    behaviour: "Creating an agent writes a readable definition file and its context folder, and it is found at once.",
    faces: ["file"],
  },
  {
    id: "agent.create-exists",
    source: ["000", "product"],
    behaviour: "Creating an agent whose name is taken is refused and overwrites nothing.",
    faces: ["file"],
  },
  {
    id: "agent.promote",
    source: ["000", "surface"],
    behaviour: "Creating an agent from an ephemeral one writes that one's definition under the new name.",
    faces: ["file"],
  },
  {
    id: "agent.list",
    source: ["000"],
    behaviour: "Listing gives every agent with its source, engine, model and state.",
    faces: ["file"],
  },
  {
    id: "agent.info",
    source: ["000"],
    behaviour: "Info shows the definition and a summary of memory, notes, todos and conversations.",
    faces: ["file"],
  },
  {
    id: "agent.delete",
    source: ["000", "surface"],
    behaviour: "Deleting an agent removes its definition and its context, and nothing else.",
    faces: ["file"],
  },
  {
    id: "agent.ephemeral-name",
    source: ["000", "surface"],
    behaviour: "An ephemeral agent without a name is called `agent-N` with the first free number.",
    faces: ["domain"],
  },
  {
    id: "agent.ephemeral",
    source: ["000"],
    behaviour:
      "An ephemeral agent answers direct messages, has no file and no personal context, and is gone after a restart.",
    faces: ["cli", "http"],
  },
  {
    id: "agent.edit",
    source: ["000", "surface"],
    behaviour:
      "Editing an agent opens its file in the user's editor and refuses to keep a file that does not pass the check.",
    faces: ["cli"],
  },
  {
    id: "agent.live",
    source: ["traps"],
    behaviour: "An agent created while the daemon runs can be addressed without a restart.",
    faces: ["cli", "http"],
  },
  {
    id: "agent.attachment-state",
    source: ["000"],
    behaviour:
      "An agent is idle with no workspace attached and active with one or more, and both accept direct messages.",
    faces: ["domain"],
  },
  {
    id: "agent.ref",
    source: ["000", "001"],
    behaviour: "`{ ref: alice }` resolves to the project's alice as she is.",
    faces: ["domain"],
  },
  {
    id: "agent.ref-append",
    source: ["000", "001"],
    behaviour: "`prompt.append` of a ref is added after the agent's own prompt for that workflow only.",
    faces: ["domain"],
  },
  {
    id: "agent.ref-overrides",
    source: ["000"],
    behaviour: "Runtime settings of a ref replace the agent's for that workflow only.",
    faces: ["domain"],
  },
  {
    id: "agent.ref-no-system",
    source: ["000", "surface"],
    behaviour: "A ref that sets `prompt.system` or `system_file` is refused with its place.",
    faces: ["file"],
  },
  {
    id: "agent.ref-no-soul",
    source: ["000", "surface"],
    behaviour: "A ref that sets `soul` is refused with its place.",
    faces: ["file"],
  },
  {
    id: "agent.ref-unknown",
    source: ["000", "product"],
    behaviour: "A ref to an agent that does not exist is refused with the names that do.",
    faces: ["domain"],
  },
  {
    id: "agent.inline",
    source: ["000", "001"],
    behaviour:
      "An entry without `ref` is an agent of that workflow alone, with an optional soul and no personal context.",
    faces: ["domain"],
  },
  {
    id: "agent.inline-prompt",
    source: ["000", "surface"],
    behaviour: "An inline agent without a prompt, or with `prompt.append`, is refused.",
    faces: ["file"],
  },
  {
    id: "agent.shared-context",
    source: ["000", "001"],
    behaviour: "An agent in two workflows has one memory, notes and todo in both.",
    faces: ["file"],
  },
];
