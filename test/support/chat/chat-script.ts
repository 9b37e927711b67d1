import type { ApprovalView } from "../../../src/contract/approvals.ts";
import type { AgentView } from "../../../src/contract/agents.ts";
import type { MessageView } from "../../../src/contract/messages.ts";
import type { WorkspaceView } from "../../../src/contract/workspaces.ts";
import type { ChatRequest, ChatEvent, ChatState } from "../../../src/cli/chat/model/chat-state.ts";
import { firstState } from "../../../src/cli/chat/model/chat-state.ts";
import { update } from "../../../src/cli/chat/model/update.ts";
import { chatFrame } from "../../../src/cli/chat/view/chat-view.ts";
import type { ScreenSize } from "../../../src/cli/screen/frame.ts";
import type { KeyEvent } from "../../../src/cli/screen/key.ts";
import { plainText } from "../../../src/cli/screen/span.ts";

/** A chat without a terminal or a daemon: its state, what it shows and what it wants to be done. */
export class ChatScript {
  state: ChatState;
  /** Everything that it wanted to be done, oldest first. */
  readonly effects: ChatRequest[] = [];

  constructor(size: ScreenSize = { columns: 80, rows: 24 }) {
    this.state = firstState("shop", size, 1_000_000);
  }

  on(...events: readonly ChatEvent[]): this {
    for (const event of events) {
      const step = update(this.state, event);
      this.state = step.state;
      this.effects.push(...step.effects);
    }
    return this;
  }

  type(text: string): this {
    for (const character of text) this.on({ type: "key", key: { kind: "text", text: character } });
    return this;
  }

  /** Presses a key: "return", "ctrl-f", "alt-1". */
  press(...names: readonly string[]): this {
    return this.on(...names.map((name): ChatEvent => ({ type: "key", key: keyOf(name) })));
  }

  /** Lets time go on. */
  wait(ms: number): this {
    return this.on({ type: "tick", now: this.state.now + ms });
  }

  get lines(): string[] {
    return chatFrame(this.state).lines.map((line) => plainText(line).trimEnd());
  }

  /** The screen without empty lines. */
  get shown(): string {
    return this.lines.filter((line) => line !== "").join("\n");
  }
}

function keyOf(name: string): KeyEvent {
  const parts = name.split("-");
  return {
    kind: "key",
    name: parts.at(-1) ?? "",
    ctrl: parts.includes("ctrl"),
    alt: parts.includes("alt"),
    shift: parts.includes("shift"),
  };
}

export function message(seq: number, from: string, content: string, more: Partial<MessageView> = {}): MessageView {
  return {
    id: `msg_${seq}`,
    seq,
    space: "alice",
    from,
    onBehalfOf: null,
    to: null,
    kind: "message",
    content,
    resource: null,
    mentions: [],
    cause: null,
    run: null,
    at: "2026-01-02T03:04:05.000Z",
    ...more,
  };
}

export function agent(name: string, more: Partial<AgentView> = {}): AgentView {
  return {
    name,
    source: "file",
    model: null,
    backend: "mock",
    state: "idle",
    until: null,
    work: null,
    workspaces: [],
    open: { immediate: 0, normal: 0, background: 0 },
    rests: false,
    node: null,
    ...more,
  };
}

export function workspace(name: string, participants: readonly string[]): WorkspaceView {
  return {
    space: `@${name}:main`,
    name,
    workflow: name,
    tag: "main",
    instance: 1,
    state: "open",
    provider: "sqlite",
    documents: "file",
    channel: true,
    dir: name,
    documentOwner: null,
    electing: false,
    participants: [...participants],
    openedAt: "2026-01-02T03:04:05.000Z",
    closedAt: null,
  };
}

export function approval(id: string, args: unknown, more: Partial<ApprovalView> = {}): ApprovalView {
  return {
    id,
    space: "alice",
    agent: "alice",
    run: "run_1",
    tool: "bash",
    args: JSON.stringify(args),
    state: "pending",
    reason: null,
    decidedBy: null,
    requestedAt: "2026-01-02T03:04:05.000Z",
    decidedAt: null,
    ...more,
  };
}
