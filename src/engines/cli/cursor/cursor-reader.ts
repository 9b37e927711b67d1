import { UNKNOWN_USAGE, type Usage } from "../../../domain/budget/usage.ts";
import type { CliExit, CliFailure, CliReader } from "../cli-dialect.ts";
import { failureOfMessage } from "../cli-failure.ts";
import { readCursorCall, readCursorEvent, type CursorResult } from "./cursor-events.ts";
import { teamTool } from "./cursor-files.ts";

/**
 * Reads the stream of one turn. The result holds all text of the turn; the answer is only the text after the last tool
 * call.
 */
export function createCursorReader(login: string): CliReader {
  let session: string | null = null;
  let result: CursorResult | null = null;
  let texts: string[] = [];
  /** The last line that is no event: Cursor reports some errors this way. */
  let plain = "";

  return {
    line(line) {
      const { event, session: named } = readCursorEvent(line);
      session = named ?? session;
      if (event === undefined && !isEventLike(line)) plain = line;
      switch (event?.type) {
        case "assistant": {
          const text = event.message.content.map((part) => part.text ?? "").join("");
          if (text === "") return [];
          texts.push(text);
          return [{ type: "text", text }];
        }
        case "tool_call": {
          const call = readCursorCall(event);
          if (call === null) return [];
          const { args, answer } = call;
          const tool = teamTool(call.tool);
          const id = event.call_id;
          if (answer !== null) return [{ type: "tool-result", id, tool, ...answer }];
          texts = [];
          return [{ type: "tool-call", id, tool, args }];
        }
        case "result":
          result = event;
          return [];
        default:
          return [];
      }
    },
    end(exit) {
      if (result === null || result.is_error === true || exit.code !== 0) {
        return cursorFailure(result?.is_error === true ? (result.result ?? "") : plain, exit, login);
      }
      const text = texts.length > 0 ? texts.join("") : (result.result ?? "");
      return { kind: "result", text, session, usage: usageOf(result) };
    },
  };
}

function usageOf({ usage }: CursorResult): Usage {
  if (usage === undefined) return UNKNOWN_USAGE;
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } = usage;
  return {
    ...UNKNOWN_USAGE,
    // Cursor counts cached tokens separately.
    inputTokens: inputTokens === undefined ? null : inputTokens + (cacheReadTokens ?? 0) + (cacheWriteTokens ?? 0),
    outputTokens: outputTokens ?? null,
    cachedInputTokens: cacheReadTokens ?? null,
    cacheWriteTokens: cacheWriteTokens ?? null,
  };
}

const UNKNOWN_CHAT = /(?:chat|session|conversation).*not found/i;
const PLAN = /cannot use this model|free plans?|upgrade your plan|trust required/i;

/** Returns why a turn failed, by its result or the last plain line it wrote; null for a crash without an error text. */
function cursorFailure(error: string, { code, stderr, nowMs }: CliExit, login: string): CliFailure | null {
  const message = error === "" ? lastPlainLine(stderr) : error;
  if (message === "" || code === null) return null;
  if (UNKNOWN_CHAT.test(message)) return { kind: "failure", class: "permanent", message, sessionUnusable: true };
  if (PLAN.test(message)) return { kind: "failure", class: "permanent", message };
  return failureOfMessage(message, { login, nowMs });
}

/** True for an event and for the rest of one that was cut: it may hold the prompt. */
function isEventLike(line: string): boolean {
  return /^\s*\{|\}\s*$/.test(line);
}

/** Skips the events, which standard error repeats. */
function lastPlainLine(stderr: string): string {
  return stderr.split("\n").findLast((line) => line.trim() !== "" && !isEventLike(line)) ?? "";
}
