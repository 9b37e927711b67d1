import { connectToDaemon } from "../../../client/connect.ts";
import type { Client } from "../../../client/client.ts";
import { findEntry, isGroup, type Command, type CommandEntry, type CommandGroup } from "../../command.ts";
import type { Invocation } from "../../invocation.ts";
import { formatSpace } from "../../output/format-space.ts";

const { readdirSync } = process.getBuiltinModule("node:fs");

/** What can be typed at a place: names of one kind, or nothing that we know. */
type NameKind = "targets" | "agents" | "workflows" | "tags" | "approvals" | "runs" | "dead" | "ballots" | "suggestions";

/** Which ids a command takes, by its name. */
const IDS: Readonly<Record<string, NameKind>> = {
  approve: "approvals",
  deny: "approvals",
  "runs show": "runs",
  "dead retry": "dead",
  "dead drop": "dead",
  "proposal show": "ballots",
  "proposal vote": "ballots",
  "proposal cancel": "ballots",
  "doc accept": "suggestions",
  "doc reject": "suggestions",
};
const OPTION_KINDS: Readonly<Record<string, NameKind>> = { "--tag": "tags", "--to": "targets", "--target": "targets" };
const MOST = 50;

/**
 * Returns the names that can follow the words typed so far. Looking starts nothing: without a daemon, only the names that
 * files have are known.
 */
export async function completionNames(
  invocation: Invocation,
  table: readonly CommandEntry[],
  typed: readonly string[],
): Promise<readonly string[]> {
  const kind = await kindAfter(table, typed);
  if (kind === undefined) return [];
  const projectDir = invocation.projectDir();
  let client: Client;
  try {
    client = await connectToDaemon({ projectDir, env: invocation.terminal.env });
  } catch {
    return namesInFiles(projectDir, kind);
  }
  using _client = client;
  return await namesFrom(client, kind);
}

async function kindAfter(table: readonly CommandEntry[], typed: readonly string[]): Promise<NameKind | undefined> {
  const before = typed.at(-1);
  if (before !== undefined && Object.hasOwn(OPTION_KINDS, before)) return OPTION_KINDS[before];
  let found: Command | CommandGroup = { about: "", entries: table };
  const path: string[] = [];
  while (isGroup(found)) {
    const name = typed[path.length];
    const entry: CommandEntry | undefined = name === undefined ? undefined : findEntry(found.entries, name);
    if (entry === undefined) return undefined;
    found = await entry.load();
    path.push(entry.name);
  }
  const { words = [], options = {} } = found;
  const position = typed.slice(path.length).filter((word, at, all) => {
    const previous = all[at - 1]?.replace(/^--/, "");
    const isValue = all[at - 1]?.startsWith("--") === true && options[previous ?? ""]?.value !== undefined;
    return !word.startsWith("-") && !isValue;
  }).length;
  const last = words.at(-1);
  const word = words[position] ?? (last?.endsWith("...]") === true ? last : undefined);
  return word === undefined ? undefined : kindOf(word.replace(/^\[|(?:\.\.\.)?\]$/g, ""), path.join(" "));
}

function kindOf(word: string, command: string): NameKind | undefined {
  if (word === "ID") return IDS[command];
  if (word === "TARGET" || word.includes("@WORKSPACE")) return "targets";
  if (word.startsWith("WORKFLOW")) return "workflows";
  if (word === "AGENT") return "agents";
  return word === "NAME" && command.startsWith("agent ") && command !== "agent create" ? "agents" : undefined;
}

async function namesFrom(client: Client, kind: NameKind): Promise<readonly string[]> {
  const agents = async (): Promise<string[]> => {
    const listed = await client.call("list-agents", {});
    return listed.ok ? [...listed.value.agents, ...listed.value.workflowAgents].map(({ name }) => name) : [];
  };
  const workspaces = async () => {
    const listed = await client.call("list-workspaces", { state: "open" });
    return listed.ok ? listed.value.workspaces : [];
  };
  const inWorkspaces = async (ids: (target: string) => Promise<string[]>): Promise<string[]> =>
    (await Promise.all((await workspaces()).map(({ space }) => ids(space)))).flat();
  switch (kind) {
    case "agents":
      return agents();
    case "targets":
      return [...(await agents()), ...(await workspaces()).map(({ space }) => formatSpace(space))];
    case "workflows": {
      const listed = await client.call("list-workflows", {});
      return [...(listed.ok ? listed.value.workflows.map(({ name }) => name) : []), ...(await agents())];
    }
    case "tags":
      return [...new Set((await workspaces()).map(({ tag }) => tag))];
    case "approvals": {
      const listed = await client.call("list-approvals", { limit: MOST });
      return listed.ok ? listed.value.approvals.map(({ id }) => id) : [];
    }
    case "runs": {
      const listed = await client.call("list-runs", { limit: MOST });
      return listed.ok ? listed.value.runs.map(({ id }) => id) : [];
    }
    case "dead": {
      const listed = await client.call("list-dead-letters", { limit: MOST });
      return listed.ok ? listed.value.deliveries.map(({ id }) => id) : [];
    }
    case "ballots":
      return inWorkspaces(async (target) => {
        const listed = await client.call("list-ballots", { target, limit: MOST });
        return listed.ok ? listed.value.ballots.map(({ id }) => id) : [];
      });
    case "suggestions":
      return inWorkspaces(async (target) => {
        const listed = await client.call("list-suggestions", { target, limit: MOST });
        return listed.ok ? listed.value.suggestions.map(({ id }) => id) : [];
      });
  }
}

function namesInFiles(projectDir: string, kind: NameKind): string[] {
  const inFolder = (folder: string): string[] => {
    try {
      return readdirSync(`${projectDir}/${folder}`).flatMap(
        (name) => /^([^.].*)\.ya?ml$/.exec(name)?.slice(1, 2) ?? [],
      );
    } catch {
      return [];
    }
  };
  if (kind === "agents" || kind === "targets") return inFolder(".agents");
  return kind === "workflows" ? [...inFolder(".workflows"), ...inFolder(".agents")] : [];
}
