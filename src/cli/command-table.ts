import type { CommandEntry, CommandSection } from "./command.ts";

/**
 * The commands, in the order and under the headings of the overview. To add one, write its file, a row here and its name
 * in `command-names.ts`: help, completion and the reference derive from this table. A module is loaded when it is used.
 */
export const commandSections: readonly CommandSection[] = [
  {
    title: "Begin",
    entries: [
      {
        name: "demo",
        summary: "Watch a small team work, with no key and nothing to install",
        load: async () => (await import("./commands/project/demo.ts")).demo,
      },
      {
        name: "init",
        summary: "Make a project, with a team to begin with",
        load: async () => (await import("./commands/project/init.ts")).init,
      },
    ],
  },
  {
    title: "Talk",
    entries: [
      {
        name: "chat",
        summary: "Talk with agents and workspaces on the whole terminal",
        load: async () => (await import("./commands/message/chat.ts")).chat,
      },
      {
        name: "send",
        summary: "Send a message to an agent or a workspace",
        load: async () => (await import("./commands/message/send.ts")).send,
      },
      {
        name: "peek",
        summary: "Read what was said, without taking it as read",
        load: async () => (await import("./commands/message/peek.ts")).peek,
      },
      {
        name: "search",
        summary: "Find a text in everything that was said and written",
        load: async () => (await import("./commands/message/search.ts")).search,
      },
      {
        name: "inbox",
        summary: "See what waits for an agent",
        load: async () => (await import("./commands/message/inbox.ts")).inbox,
      },
      {
        name: "export",
        summary: "Write down everything that was said",
        load: async () => (await import("./commands/message/export.ts")).exportTranscript,
      },
    ],
  },
  {
    title: "Work",
    entries: [
      {
        name: "run",
        summary: "Run a workflow, or ask an agent, and watch until it is done",
        load: async () => (await import("./commands/workflow/run.ts")).run,
      },
      {
        name: "serve",
        summary: "The same, with nothing but the answer at the end",
        load: async () => (await import("./commands/workflow/serve.ts")).serve,
      },
      {
        name: "start",
        summary: "Start a workflow and leave it at work",
        load: async () => (await import("./commands/workflow/start.ts")).start,
      },
      {
        name: "stop",
        summary: "Stop an agent, a workspace, or everything",
        load: async () => (await import("./commands/workflow/stop.ts")).stop,
      },
      {
        name: "schedule",
        summary: "Wake an agent at times",
        load: async () => (await import("./commands/agent/schedule.ts")).schedule,
      },
      {
        name: "space",
        summary: "Open, list and close spaces beside a channel",
        load: async () => (await import("./commands/workflow/space.ts")).space,
      },
      {
        name: "doc",
        summary: "Read and write the documents of a workspace",
        load: async () => (await import("./commands/workflow/doc.ts")).doc,
      },
      {
        name: "proposal",
        summary: "Let a workspace decide by vote",
        load: async () => (await import("./commands/decision/proposal.ts")).proposal,
      },
      {
        name: "rule",
        summary: "Let a workspace act by itself when something happens",
        load: async () => (await import("./commands/decision/rule.ts")).rule,
      },
    ],
  },
  {
    title: "Repository",
    entries: [
      {
        name: "review",
        summary: "Let a team review a branch or a pull request, in any repository",
        load: async () => (await import("./commands/git/review.ts")).review,
      },
      {
        name: "diff",
        summary: "Show what agents changed in their worktree",
        load: async () => (await import("./commands/git/diff.ts")).diff,
      },
      {
        name: "apply",
        summary: "Take over what agents did in their worktree",
        load: async () => (await import("./commands/git/apply.ts")).apply,
      },
      {
        name: "discard",
        summary: "Remove a worktree and its branch",
        load: async () => (await import("./commands/git/discard.ts")).discard,
      },
    ],
  },
  {
    title: "Agents",
    entries: [
      {
        name: "ls",
        aliases: ["list"],
        summary: "List agents and workspaces, or who takes part in one",
        load: async () => (await import("./commands/workflow/ls.ts")).ls,
      },
      {
        name: "top",
        summary: "Watch who works on what, as it happens",
        load: async () => (await import("./commands/workflow/top.ts")).top,
      },
      {
        name: "new",
        summary: "Make an agent for now, gone when the daemon stops",
        load: async () => (await import("./commands/agent/new.ts")).newAgent,
      },
      {
        name: "agent",
        summary: "Create and look after agents that stay",
        load: async () => (await import("./commands/agent/agent.ts")).agent,
      },
      {
        name: "skill",
        summary: "Add a skill from a folder or a git source, or list the skills",
        load: async () => (await import("./commands/agent/skill.ts")).skill,
      },
      {
        name: "tool",
        summary: "List the tools an agent gets",
        load: async () => (await import("./commands/agent/tool.ts")).tool,
      },
      {
        name: "clear",
        summary: "Let an agent start afresh",
        load: async () => (await import("./commands/agent/clear.ts")).clear,
      },
      {
        name: "feedback",
        summary: "List what agents say about the work itself",
        load: async () => (await import("./commands/agent/feedback.ts")).feedback,
      },
    ],
  },
  {
    title: "Decide",
    entries: [
      {
        name: "grant",
        summary: "Give an agent tools of the team, or list what is granted",
        load: async () => (await import("./commands/decision/grant.ts")).grant,
      },
      {
        name: "revoke",
        summary: "Take back what was granted",
        load: async () => (await import("./commands/decision/grant.ts")).revoke,
      },
      {
        name: "pending",
        summary: "List everything that waits for you",
        load: async () => (await import("./commands/decision/pending.ts")).pending,
      },
      {
        name: "approval",
        summary: "List the tool calls that wait for you, and those decided",
        load: async () => (await import("./commands/decision/approval.ts")).approval,
      },
      {
        name: "approve",
        summary: "Allow a tool call",
        load: async () => (await import("./commands/decision/approval.ts")).approve,
      },
      {
        name: "deny",
        summary: "Refuse a tool call",
        load: async () => (await import("./commands/decision/approval.ts")).deny,
      },
      {
        name: "dead",
        summary: "Deal with what could not be delivered",
        load: async () => (await import("./commands/message/dead.ts")).dead,
      },
    ],
  },
  {
    title: "Look after",
    entries: [
      {
        name: "status",
        summary: "How the daemon and this project are doing",
        load: async () => (await import("./commands/system/status.ts")).status,
      },
      {
        name: "daemon",
        summary: "Start, stop and look into the daemon",
        load: async () => (await import("./commands/daemon/daemon.ts")).daemon,
      },
      {
        name: "prune",
        summary: "Remove old data now",
        load: async () => (await import("./commands/system/prune.ts")).prune,
      },
      {
        name: "doctor",
        summary: "Find out what is wrong, and what to do about it",
        load: async () => (await import("./commands/system/doctor.ts")).doctor,
      },
      {
        name: "store",
        summary: "Move the data of a project to another database",
        load: async () => (await import("./commands/system/store.ts")).store,
      },
      {
        name: "stats",
        summary: "Show what the work has used",
        load: async () => (await import("./commands/workflow/stats.ts")).stats,
      },
      {
        name: "runs",
        summary: "List what agents did, and look into one run",
        load: async () => (await import("./commands/workflow/runs.ts")).runs,
      },
      {
        name: "backends",
        summary: "List the engines this machine has",
        load: async () => (await import("./commands/system/backends.ts")).backends,
      },
      {
        name: "providers",
        summary: "List the model providers and what each still needs, or add one",
        load: async () => (await import("./commands/system/providers.ts")).providers,
      },
      {
        name: "login",
        summary: "Keep the key of a model provider, for all your projects",
        load: async () => (await import("./commands/key/login.ts")).login,
      },
      {
        name: "logout",
        summary: "Remove a key that login has kept",
        load: async () => (await import("./commands/key/logout.ts")).logout,
      },
      {
        name: "trust",
        summary: "See what a project can do on this machine, and let it",
        load: async () => (await import("./commands/project/trust.ts")).trust,
      },
      {
        name: "untrust",
        summary: "Let a project rest again",
        load: async () => (await import("./commands/project/trust.ts")).untrust,
      },
      {
        name: "check",
        summary: "Check the agents and workflows of a project",
        load: async () => (await import("./commands/project/check.ts")).check,
      },
      {
        name: "definition",
        summary: "Read and write the files of agents and workflows",
        load: async () => (await import("./commands/project/definition.ts")).definition,
      },
      {
        name: "schema",
        summary: "Print the JSON Schema of a definition file",
        load: async () => (await import("./commands/project/schema.ts")).schema,
      },
      {
        name: "call",
        summary: "Call any operation of a project by name, with JSON",
        load: async () => (await import("./commands/system/call.ts")).call,
      },
      {
        name: "resource",
        summary: "Print content that is too large for a message",
        load: async () => (await import("./commands/message/resource.ts")).resource,
      },
      {
        name: "context",
        summary: "Move contexts between store and files; for agents: their channel",
        load: async () => (await import("./commands/agent/context.ts")).context,
      },
      {
        name: "mcp",
        summary: "Let a coding agent use the team: MCP on standard input and output",
        load: async () => (await import("./commands/system/mcp.ts")).mcp,
      },
      {
        name: "completion",
        summary: "Print a script that completes commands in your shell",
        load: async () => (await import("./commands/system/completion.ts")).completionOf(() => commandTable),
      },
      {
        name: "ui",
        summary: "Open the web page that shows the team at work",
        load: async () => (await import("./commands/system/ui.ts")).ui,
      },
      {
        name: "help",
        summary: "How to use a command, or a guide to read",
        load: async () => (await import("./commands/help/help.ts")).help,
      },
      {
        name: "version",
        summary: "Print the version of the program",
        load: async () => (await import("./commands/help/version.ts")).version,
      },
    ],
  },
];

export const commandTable: readonly CommandEntry[] = commandSections.flatMap(({ entries }) => entries);
