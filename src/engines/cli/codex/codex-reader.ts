import { plausibleUsage, UNKNOWN_USAGE, type Usage } from "../../../domain/budget/usage.ts";
import type { StepProgress } from "../../../ports/engine.ts";
import { TEAM_SERVER } from "../../shared/mcp-servers.ts";
import type { CliReader } from "../cli-dialect.ts";
import { failureOfMessage } from "../cli-failure.ts";
import {
  readCodexEvent,
  readCodexSession,
  type CodexItem,
  type CodexSession,
  type CodexUsage,
} from "./codex-events.ts";

/** Reads the stream of one `codex exec`. It emits whole messages; the last one is the answer. */
export function createCodexReader(login: string, resumed: string | null): CliReader {
  const before = readCodexSession(resumed);
  const called = new Set<string>();
  let thread: string | null = before?.id ?? null;
  let text = "";
  let isDone = false;
  let used: CodexUsage | null = null;
  let error: string | null = null;

  const callOf = (item: CodexItem): StepProgress[] => {
    const call = toolCall(item);
    if (call === null || called.has(item.id)) return [];
    called.add(item.id);
    return [{ type: "tool-call", id: item.id, ...call }];
  };
  const completed = (item: CodexItem): StepProgress[] => {
    if (item.type === "agent_message") {
      text = item.text;
      return [{ type: "text", text }];
    }
    const call = toolCall(item);
    if (call === null) return [];
    return [...callOf(item), { type: "tool-result", id: item.id, tool: call.tool, ...toolResult(item) }];
  };

  return {
    line: (line) => {
      const event = readCodexEvent(line);
      switch (event?.type) {
        case "thread.started":
          thread = event.thread_id;
          return [];
        case "item.started":
          return callOf(event.item);
        case "item.completed":
          return completed(event.item);
        case "turn.completed":
          isDone = true;
          used = event.usage ?? null;
          return [];
        case "turn.failed":
          isDone = false;
          error = event.error.message;
          return [];
        case "error":
          error = event.message;
          return [];
        default:
          return [];
      }
    },
    end: ({ code, stderr, nowMs }) => {
      if (isDone) {
        const session = thread === null ? null : JSON.stringify({ id: thread, used } satisfies CodexSession);
        return { kind: "result", text, session, usage: addedUsage(used, before?.used ?? null) };
      }
      if (error !== null) return failureOfMessage(plainMessage(error), { login, nowMs });
      const lost = /no (?:rollout|conversation|session|thread) found.*/i.exec(stderr)?.[0];
      if (code === 0 || lost === undefined) return null;
      return { kind: "failure", class: "permanent", message: lost, sessionUnusable: true };
    },
  };
}

function toolCall(item: CodexItem): { readonly tool: string; readonly args: unknown } | null {
  switch (item.type) {
    case "mcp_tool_call":
      return {
        tool: item.server === TEAM_SERVER ? item.tool : `mcp__${item.server}__${item.tool}`,
        args: item.arguments,
      };
    case "command_execution":
      return { tool: "bash", args: { command: item.command } };
    case "file_change":
      return { tool: "apply_patch", args: { changes: item.changes } };
    case "web_search":
      return { tool: "web_search", args: { query: item.query ?? "" } };
    default:
      return null;
  }
}

function toolResult(item: CodexItem): { readonly content: string; readonly isError: boolean } {
  switch (item.type) {
    case "mcp_tool_call":
      return {
        content: item.error?.message ?? (item.result?.content ?? []).map(textOf).join("\n"),
        isError: item.status === "failed" || typeof item.error?.message === "string",
      };
    case "command_execution":
      return {
        content: item.aggregated_output ?? "",
        isError: (item.exit_code ?? 0) !== 0 || item.status === "failed",
      };
    default:
      return { content: "", isError: "status" in item && item.status === "failed" };
  }
}

function textOf(part: unknown): string {
  return typeof part === "object" && part !== null && "text" in part && typeof part.text === "string" ? part.text : "";
}

function addedUsage(used: CodexUsage | null, before: CodexUsage | null): Usage {
  if (used === null) return UNKNOWN_USAGE;
  const added = (count: (usage: CodexUsage) => number | null | undefined): number | null => {
    const now = count(used);
    return typeof now === "number" ? now - ((before === null ? 0 : count(before)) ?? 0) : null;
  };
  return plausibleUsage({
    inputTokens: added((usage) => usage.input_tokens),
    outputTokens: added((usage) => usage.output_tokens),
    cachedInputTokens: added((usage) => usage.cached_input_tokens),
    cacheWriteTokens: added((usage) => usage.cache_write_input_tokens),
    reasoningTokens: added((usage) => usage.reasoning_output_tokens),
    cost: { basis: "unknown" },
  });
}

/** Errors of the API are reported unchanged: JSON with the message inside. */
function plainMessage(message: string): string {
  try {
    const parsed = JSON.parse(message) as { error?: { message?: unknown; code?: unknown } } | null;
    const { message: inner, code } = parsed?.error ?? {};
    return typeof inner === "string" ? `${inner}${typeof code === "string" ? ` (${code})` : ""}` : message;
  } catch {
    return message;
  }
}
