import type { CommandGroup } from "../../command.ts";

export const agent: CommandGroup = {
  about:
    "Agents that stay: a definition in .agents/NAME.yaml, and memory, notes, todos and conversations of their own.",
  entries: [
    {
      name: "create",
      summary: "Create an agent, or keep one that was made with new",
      load: async () => (await import("./create.ts")).createAgent,
    },
    { name: "list", summary: "List the agents", load: async () => (await import("../workflow/ls.ts")).ls },
    {
      name: "info",
      summary: "Show an agent: definition, soul, and how much it remembers",
      load: async () => (await import("./info.ts")).agentInfo,
    },
    {
      name: "edit",
      summary: "Edit the definition of an agent",
      load: async () => (await import("./edit.ts")).editAgent,
    },
    {
      name: "delete",
      summary: "Delete an agent with all that is its own",
      load: async () => (await import("./delete.ts")).deleteAgent,
    },
    {
      name: "memory",
      summary: "What an agent remembers",
      load: async () => (await import("./memory.ts")).agentMemory,
    },
    {
      name: "notes",
      summary: "The notes of an agent",
      load: async () => (await import("./notes.ts")).agentNotes,
    },
    {
      name: "todo",
      summary: "What an agent has to do",
      load: async () => (await import("./todo.ts")).agentTodo,
    },
    {
      name: "soul",
      summary: "Who an agent always is, what it learned, and what it may become",
      load: async () => (await import("./soul.ts")).agentSoul,
    },
  ],
};
