import { defineCommand } from "../../command.ts";
import { stopDaemon as stop } from "../../stop-daemon.ts";

export const stopDaemon = defineCommand({
  about: "Stops the daemon in order: what agents are doing is kept, and goes on when the daemon is started again.",
  examples: ["agent-worker daemon stop"],
  run: (invocation) => stop(invocation),
});
