import type { AnswerCut } from "../../../domain/message/answer-cut.ts";
import type { StepProgress } from "../../../ports/engine.ts";
import { TEAM_SERVER } from "../../shared/mcp-servers.ts";
import type { PermissionDecision } from "../../shared/permission-broker.ts";
import type { CliPermissionRequest, CliReader, CliReply } from "../cli-dialect.ts";
import { claudeCall } from "./claude-call.ts";
import { readClaudeEvent, type ClaudeBlock, type ClaudeRequest, type ClaudeResult } from "./claude-events.ts";
import { claudeFailure } from "./claude-failure.ts";
import { claudeUsage } from "./claude-usage.ts";

const TEAM_PREFIX = `mcp__${TEAM_SERVER}__`;

/** Reads the stream of one `claude -p`. Its last event is the result. */
export function createClaudeReader(login: string, session: string | null): CliReader {
  const tools = new Map<string, string>();
  let result: ClaudeResult | null = null;
  let kind: string | null = null;
  let resetAtMs: number | null = null;
  let retryDelayMs: number | null = null;
  /** We ended the turn because a person must approve a call. */
  let isStopped = false;

  const blockEvents = (block: ClaudeBlock): StepProgress[] => {
    if (block.type === "tool_use") {
      const tool = block.name.startsWith(TEAM_PREFIX) ? block.name.slice(TEAM_PREFIX.length) : block.name;
      tools.set(block.id, tool);
      return [{ type: "tool-call", id: block.id, tool, args: block.input }];
    }
    // After a stop the program reports its calls as failed.
    if (isStopped) return [];
    const tool = tools.get(block.tool_use_id) ?? "";
    const content = textOf(block.content);
    return [{ type: "tool-result", id: block.tool_use_id, tool, content, isError: block.is_error === true }];
  };

  const requestOf = ({ request_id: id, request }: ClaudeRequest): CliPermissionRequest | CliReply => {
    const line = (response: unknown): string => JSON.stringify({ type: "control_response", response });
    if (request.subtype === null) {
      return { type: "reply", line: line({ subtype: "error", request_id: id, error: "This is not supported." }) };
    }
    const { tool_name: tool, input } = request;
    return {
      type: "question",
      call: claudeCall(tool, input),
      answer: (decision) => {
        isStopped ||= decision.kind === "wait";
        return line({ subtype: "success", request_id: id, response: permissionOf(decision, input) });
      },
    };
  };

  return {
    line: (line) => {
      const event = readClaudeEvent(line);
      switch (event?.type) {
        case "stream_event":
          return typeof event.parent_tool_use_id === "string" ? [] : [{ type: "text", text: event.event.delta.text }];
        case "assistant":
          kind = event.error ?? null;
          return typeof event.parent_tool_use_id === "string" ? [] : event.message.content.flatMap(blockEvents);
        case "user":
          return typeof event.parent_tool_use_id === "string" ? [] : event.message.content.flatMap(blockEvents);
        case "rate_limit_event": {
          const { status, resetsAt } = event.rate_limit_info;
          resetAtMs = status === "rejected" && typeof resetsAt === "number" ? resetsAt * 1_000 : null;
          return [];
        }
        case "system":
          retryDelayMs = event.error_status === 429 ? event.retry_delay_ms : null;
          return [];
        case "control_request":
          return [requestOf(event)];
        case "result":
          result = event;
          return [];
        default:
          return [];
      }
    },
    isDone: () => result !== null,
    end: ({ nowMs }) => {
      if (result === null) return null;
      const usage = claudeUsage(result, session !== null);
      if (isStopped) return { kind: "result", text: "", session: result.session_id, usage, exitCodeExplained: true };
      if (result.is_error || result.subtype !== "success") {
        return claudeFailure(result, { kind, resetAtMs, retryDelayMs }, { login, nowMs });
      }
      const cut = cutOf(result.stop_reason);
      const whole = { kind: "result", text: result.result ?? "", session: result.session_id, usage } as const;
      return cut === undefined ? whole : { ...whole, cut };
    },
  };
}

function cutOf(reason: string | null | undefined): AnswerCut | undefined {
  if (reason === "max_tokens") return "length";
  return reason === "refusal" ? "filter" : undefined;
}

function permissionOf(decision: PermissionDecision, input: unknown) {
  switch (decision.kind) {
    case "allow":
      return { behavior: "allow", updatedInput: input };
    case "refuse":
      return { behavior: "deny", message: decision.reason };
    case "wait":
      return { behavior: "deny", message: "This call waits for a person's approval.", interrupt: true };
  }
}

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  const parts = content.map((part: unknown) =>
    typeof part === "object" && part !== null && "text" in part && typeof part.text === "string" ? part.text : "",
  );
  return parts.filter((part) => part !== "").join("\n");
}
