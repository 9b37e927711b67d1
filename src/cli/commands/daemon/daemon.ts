import type { CommandGroup } from "../../command.ts";

export const daemon: CommandGroup = {
  about: "The daemon keeps the agents of all your projects at work. Commands that need it start it by themselves.",
  entries: [
    {
      name: "start",
      summary: "Start the daemon, or stay with it in this terminal",
      load: async () => (await import("./start.ts")).daemonStart,
    },
    {
      name: "stop",
      summary: "Stop the daemon; what is open goes on with the next one",
      load: async () => (await import("./stop.ts")).daemonStop,
    },
    {
      name: "restart",
      summary: "Stop the daemon and start the one of this command; what is open goes on",
      load: async () => (await import("./restart.ts")).daemonRestart,
    },
    {
      name: "status",
      summary: "Whether the daemon runs, and how it is doing",
      load: async () => (await import("../system/status.ts")).status,
    },
    {
      name: "logs",
      summary: "Show what the daemon wrote into its log",
      load: async () => (await import("./logs.ts")).daemonLogs,
    },
  ],
};
