/** Commands of earlier versions, and what replaces each of them. */
export const REPLACED_COMMANDS: Readonly<Record<string, string>> = {
  up: "start WORKFLOW",
  down: "stop @WORKFLOW",
  ps: "ls",
  session: "new",
  history: "peek TARGET",
  logs: "daemon logs",
  kill: "stop TARGET",
  workflow: "run WORKFLOW",
  attach: "peek TARGET --follow",
};
