import type { Requirement } from "./requirement.ts";

/** Which tools an agent gets, and what its prompt costs. */
export const tools: readonly Requirement[] = [
  {
    id: "tools.presets",
    source: ["surface"],
    behaviour:
      "`tools: minimal | team | full`, as a word or in the list with single names, chooses the tools of an agent; without it the agent has those of `team`, about twenty.",
    faces: ["cli", "mcp"],
  },
  {
    id: "tools.old-names",
    source: ["surface"],
    behaviour:
      "A tool that was replaced can still be called with its old arguments by whoever has the new one; in `tools`, `ask` and `deny` its name means what it meant.",
    faces: ["mcp"],
  },
  {
    id: "tools.small-prompt",
    source: ["surface"],
    behaviour:
      "The first prompt of an agent has less than 2,500 tokens with its tools in a team, and less than 1,800 in a direct message.",
    faces: ["cli"],
  },
  {
    id: "tools.direct-answer",
    source: ["surface"],
    behaviour:
      "In a direct message a person always gets an answer: silence is not offered there, unless the agent's file names it.",
    faces: ["cli"],
  },
  {
    id: "tools.kickoff",
    source: ["surface"],
    behaviour:
      "A kickoff comes from the person who wrote it; one that fills in the output of a command comes from the system.",
    faces: ["cli"],
  },
  {
    id: "tools.whole-prompt",
    source: ["surface"],
    behaviour:
      "`runs show ID --prompt` prints the prompt that the model was sent, with `--full` the schemas of its tools; the page and HTTP have it too.",
    faces: ["cli", "http"],
  },
  {
    id: "tools.direct",
    source: ["surface"],
    behaviour:
      "In direct messages no tool is offered that does nothing there, whatever the set of tools, unless the file names it.",
    faces: ["cli"],
  },
  {
    id: "tools.project-mode",
    source: ["product"],
    behaviour: "With mode: project the shell and the file tools write files of the project, without asking.",
    faces: ["engine", "file"],
  },
  {
    id: "tools.project-mode-kept",
    source: ["product", "traps"],
    behaviour:
      "With mode: project an agent changes nothing outside of the project, nothing private and nothing that only people write.",
    faces: ["engine", "file"],
  },
  {
    id: "tools.read-git",
    source: ["product"],
    behaviour: "The virtual shell has git diff, log, show, status and blame on the real repository.",
    faces: ["engine"],
  },
  {
    id: "tools.read-git-confined",
    source: ["product", "traps"],
    behaviour: "Git of the virtual shell shows nothing private, writes nothing and starts no other program.",
    faces: ["engine"],
  },
  {
    id: "tools.claude-skills",
    source: ["product"],
    behaviour: "Skills are also read from .claude/skills of the project and of the home folder.",
    faces: ["file"],
  },
];
