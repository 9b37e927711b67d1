import { hintForUnknown } from "../../kernel/closest.ts";

/** Tools that cannot be called any more, but that prompts may still name, and what replaces each of them. */
const REPLACED_TOOLS: Readonly<Record<string, string>> = {
  channel: "channel_send or channel_read",
  inbox_read: "my_inbox",
  inbox_check: "my_inbox",
  inbox_ack: "my_inbox",
  document: "team_doc_read, team_doc_write or team_doc_append",
  document_list: "team_doc_list",
  document_read: "team_doc_read",
  document_write: "team_doc_write",
  document_append: "team_doc_append",
  document_create: "team_doc_write",
  document_suggest: "team_doc_suggest",
};

/** Returns a hint for a tool that does not exist: the one that replaced it, or the closest of those there are. */
export function hintForUnknownTool(name: string, offered: readonly string[]): string {
  const instead = Object.hasOwn(REPLACED_TOOLS, name) ? REPLACED_TOOLS[name] : undefined;
  return instead === undefined ? hintForUnknown(name, offered, "tools") : `It was replaced: use ${instead}.`;
}
