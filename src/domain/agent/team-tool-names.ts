/** The sets of tools that `tools` can name in a word, each with everything of the one before. */
export const TOOL_PRESETS = ["minimal", "team", "full"] as const;
export type ToolPreset = (typeof TOOL_PRESETS)[number];
export const DEFAULT_PRESET: ToolPreset = "team";

/** What a definition can say about one tool of the team. */
export interface TeamToolEntry {
  readonly name: string;
  /** The smallest preset that has it. Null for a name of earlier versions: only the name itself, or `*`, chooses it. */
  readonly preset: ToolPreset | null;
  /** `*` does not choose it. */
  readonly onlyIfWritten?: true;
  /** The tool that does its work now: whoever has that one may still call this one, and it is not shown. */
  readonly replacedBy?: string;
  readonly needs?: ToolNeed;
  /** It does nothing in direct messages. */
  readonly workspaceOnly?: true;
}

/** What an agent must have, besides the right, to be offered a tool. */
export type ToolNeed =
  | "nothing"
  | "personal context"
  | "memory search"
  | "other agent"
  | "channel"
  /** Without one it is not shown, unless the definition writes it out, or `full`. */
  | "document owner"
  /** In direct messages, where it does nothing, it is not shown, unless the definition writes it out. */
  | "workspace";

const TABLE: readonly TeamToolEntry[] = [
  { name: "channel_send", preset: "minimal" },
  { name: "channel_read", preset: "minimal", needs: "channel" },
  { name: "channel_peek", preset: null, replacedBy: "channel_read", needs: "channel" },
  { name: "my_inbox", preset: "minimal" },
  { name: "my_inbox_ack", preset: null, replacedBy: "my_inbox" },
  { name: "my_status_set", preset: "full", workspaceOnly: true },
  { name: "team_members", preset: "team", workspaceOnly: true },
  { name: "no_action", preset: "minimal", needs: "workspace" },
  { name: "team_doc_list", preset: "team", needs: "channel", workspaceOnly: true },
  { name: "team_doc_read", preset: "team", needs: "channel", workspaceOnly: true },
  { name: "team_doc_write", preset: "team", needs: "channel", workspaceOnly: true },
  { name: "team_doc_append", preset: "team", needs: "channel", workspaceOnly: true },
  { name: "team_doc_create", preset: null, replacedBy: "team_doc_write", needs: "channel", workspaceOnly: true },
  { name: "team_doc_suggest", preset: "team", needs: "document owner", workspaceOnly: true },
  { name: "team_doc_review", preset: "team", needs: "document owner", workspaceOnly: true },
  { name: "resource_create", preset: "team" },
  { name: "resource_read", preset: "minimal" },
  { name: "proposal_create", preset: "team", needs: "channel", workspaceOnly: true },
  { name: "proposal_vote", preset: "team", needs: "channel", workspaceOnly: true },
  { name: "proposal_status", preset: "team", needs: "channel", workspaceOnly: true },
  { name: "proposal_cancel", preset: "full", needs: "channel", workspaceOnly: true },
  { name: "memory_store", preset: "team", needs: "personal context" },
  { name: "memory_recall", preset: "team", needs: "memory search" },
  { name: "memory_forget", preset: "team", needs: "personal context" },
  { name: "ask_agent", preset: "team", needs: "other agent" },
  { name: "note", preset: "team", needs: "personal context" },
  { name: "note_add", preset: null, replacedBy: "note", needs: "personal context" },
  { name: "notes_read", preset: null, replacedBy: "note", needs: "personal context" },
  { name: "todo", preset: "team", needs: "personal context" },
  { name: "todo_add", preset: null, replacedBy: "todo", needs: "personal context" },
  { name: "todo_done", preset: null, replacedBy: "todo", needs: "personal context" },
  { name: "todo_list", preset: null, replacedBy: "todo", needs: "personal context" },
  { name: "soul_suggest", preset: "full", needs: "personal context" },
  { name: "feedback_submit", preset: "full", onlyIfWritten: true },
  { name: "rule_add", preset: "full", onlyIfWritten: true, workspaceOnly: true },
  { name: "rule_list", preset: "full", onlyIfWritten: true, workspaceOnly: true },
  { name: "rule_remove", preset: "full", onlyIfWritten: true, workspaceOnly: true },
  { name: "grant", preset: "full", onlyIfWritten: true, needs: "workspace" },
  { name: "revoke", preset: "full", onlyIfWritten: true, needs: "workspace" },
  { name: "space_open", preset: "full", onlyIfWritten: true, needs: "workspace" },
  { name: "space_close", preset: "full", onlyIfWritten: true, needs: "workspace" },
  { name: "space_list", preset: "full", onlyIfWritten: true, needs: "workspace" },
];

/** The tools of the team, in the order in which agents see them. `operations/tools/` implements each of them. */
export const TEAM_TOOL_NAMES: readonly string[] = TABLE.map(({ name }) => name);

const BY_NAME: ReadonlyMap<string, TeamToolEntry> = new Map(TABLE.map((row) => [row.name, row]));

export function teamToolName(name: string): TeamToolEntry | undefined {
  return BY_NAME.get(name);
}

/**
 * Returns the tools of earlier versions whose work this tool does as a whole. A tool that kept its name when it took over
 * the work of another one is not made of it.
 */
export function partsOfTool(name: string): readonly string[] {
  return MERGED.has(name) ? TABLE.filter(({ replacedBy }) => replacedBy === name).map((part) => part.name) : [];
}

const MERGED: ReadonlySet<string> = new Set(["note", "todo"]);
