import { ownVersion } from "../client/own-version.ts";
import { commandSections, commandTable } from "./command-table.ts";

/** All commands with a line each. */
export function overview(): string {
  const width = Math.max(...commandTable.map((each) => each.name.length));
  const sections = commandSections.flatMap(({ title, entries }) => [
    "",
    `${title}:`,
    ...entries.map((each) => `  ${each.name.padEnd(width)}  ${each.summary}`),
  ]);
  return [
    `agent-worker ${ownVersion()}: teams of AI agents on your machine`,
    "",
    "Usage: agent-worker COMMAND [ARGUMENTS]; alone, in a project: agent-worker chat",
    ...sections,
    "",
    "agent-worker COMMAND --help shows how to use one.",
    "agent-worker help topics lists the guides.",
    "Begin with one of these:",
    "  agent-worker demo     watch a scripted team at work; needs no key",
    "  agent-worker review   in a git repository: let two agents review your branch",
    "  agent-worker init     make a team of your own",
    "",
  ].join("\n");
}
