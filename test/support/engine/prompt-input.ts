import { DEFAULT_PROMPT_BUDGET } from "../../../src/guard/context/assemble-prompt.ts";
import type { InboxItem, PromptInput, PromptMessage, WorkspacePlace } from "../../../src/guard/context/prompt-input.ts";
import type { MemoryEntry, MemoryTier } from "../../../src/ports/personal-context.ts";

/** Parts of prompts, each with nothing special about it but what the test says. */
export const NOON = Date.UTC(2026, 0, 5, 12, 0, 0);

export function said(body: string, more: Partial<PromptMessage> = {}): PromptMessage {
  return { id: "msg_1", seq: 1, from: "bob", to: null, kind: "message", body, resource: null, at: NOON, ...more };
}

export function asked(body: string, more: Partial<PromptMessage> = {}): InboxItem {
  const message = said(body, more);
  return { delivery: `dlv_of_${message.id}`, lane: "immediate", attempts: 0, message };
}

export function remembered(key: string, value: string, tier: MemoryTier, updated: string | null = null): MemoryEntry {
  return {
    key,
    value,
    tier,
    visibility: "private",
    source: "alice",
    origin: null,
    created: updated,
    updated,
    id: null,
    file: "m.yaml",
  };
}

export function workspacePlace(more: Partial<WorkspacePlace> = {}): WorkspacePlace {
  return {
    kind: "workspace",
    name: "review",
    channel: true,
    append: "Look at performance first.",
    team: [
      { agent: "alice", role: "code-reviewer" },
      { agent: "bob", role: null },
    ],
    documents: {
      owner: null,
      electing: false,
      files: [{ file: "notes.md", bytes: 20 }],
      main: { file: "notes.md", beginning: "# The plan so far", characters: 17 },
    },
    recent: [said("The build is green.", { id: "msg_0", seq: 0 })],
    ...more,
  };
}

export function promptInput(more: Partial<PromptInput> = {}): PromptInput {
  return {
    agent: "alice",
    systemPrompt: "You review code.",
    soul: { role: "code-reviewer", principles: ["Explain why"] },
    place: workspacePlace(),
    owner: "alice",
    personal: {
      memory: { entries: [remembered("style", "short sentences", "core")], problems: [] },
      todos: [{ number: 1, text: "finish the report", done: false, outside: false }],
    },
    skills: [{ name: "release", description: "how to release", location: ".agents/skills/release/SKILL.md" }],
    tools: ["channel_send", "no_action"],
    inbox: [asked("@alice please look at the diff")],
    problems: [],
    now: NOON,
    budget: DEFAULT_PROMPT_BUDGET,
    ...more,
  };
}
