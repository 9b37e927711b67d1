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
}

const TABLE: readonly TeamToolEntry[] = [
  { name: "channel_send", preset: "minimal" },
  { name: "channel_read", preset: "minimal" },
  { name: "channel_peek", preset: null, replacedBy: "channel_read" },
  { name: "my_inbox", preset: "minimal" },
  { name: "my_inbox_ack", preset: null, replacedBy: "my_inbox" },
  { name: "my_status_set", preset: "full" },
  { name: "team_members", preset: "team" },
  { name: "no_action", preset: "minimal" },
  { name: "team_doc_list", preset: "team" },
  { name: "team_doc_read", preset: "team" },
  { name: "team_doc_write", preset: "team" },
  { name: "team_doc_append", preset: "team" },
  { name: "team_doc_create", preset: null, replacedBy: "team_doc_write" },
  { name: "team_doc_suggest", preset: "team" },
  { name: "team_doc_review", preset: "team" },
  { name: "resource_create", preset: "team" },
  { name: "resource_read", preset: "minimal" },
  { name: "proposal_create", preset: "team" },
  { name: "proposal_vote", preset: "team" },
  { name: "proposal_status", preset: "team" },
  { name: "proposal_cancel", preset: "full" },
  { name: "memory_store", preset: "team" },
  { name: "memory_recall", preset: "team" },
  { name: "memory_forget", preset: "team" },
  { name: "ask_agent", preset: "team" },
  { name: "note", preset: "team" },
  { name: "note_add", preset: null, replacedBy: "note" },
  { name: "notes_read", preset: null, replacedBy: "note" },
  { name: "todo", preset: "team" },
  { name: "todo_add", preset: null, replacedBy: "todo" },
  { name: "todo_done", preset: null, replacedBy: "todo" },
  { name: "todo_list", preset: null, replacedBy: "todo" },
  { name: "soul_suggest", preset: "full" },
  { name: "feedback_submit", preset: "full", onlyIfWritten: true },
  { name: "rule_add", preset: "full", onlyIfWritten: true },
  { name: "rule_list", preset: "full", onlyIfWritten: true },
  { name: "rule_remove", preset: "full", onlyIfWritten: true },
  { name: "grant", preset: "full", onlyIfWritten: true },
  { name: "revoke", preset: "full", onlyIfWritten: true },
  { name: "space_open", preset: "full", onlyIfWritten: true },
  { name: "space_close", preset: "full", onlyIfWritten: true },
  { name: "space_list", preset: "full", onlyIfWritten: true },
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
