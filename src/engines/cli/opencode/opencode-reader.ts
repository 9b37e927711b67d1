import type { AnswerCut } from "../../../domain/message/answer-cut.ts";
import type { Usage } from "../../../ports/engine.ts";
import { TEAM_SERVER } from "../../shared/mcp-servers.ts";
import type { CliReader } from "../cli-dialect.ts";
import { readOpencodeEvent, type OpencodeProblem, type OpencodeTokens } from "./opencode-events.ts";
import { failureOfProblem, failureOfStderr, isContextOverflow } from "./opencode-failure.ts";

/**
 * Reads the stream of one turn. The answer is the text of the last model call, and only if that call ended the turn: a
 * turn that breaks off after a tool call has no answer. Texts come whole, not in pieces.
 */
export function createOpencodeReader(login: string): CliReader {
  let session: string | null = null;
  let texts: string[] = [];
  let finish: string | null = null;
  let problem: OpencodeProblem | null = null;
  let overflows = 0;
  const calls: { readonly tokens: OpencodeTokens; readonly cost: number }[] = [];

  return {
    line(line) {
      const { event, session: named } = readOpencodeEvent(line);
      session = named ?? session;
      switch (event?.type) {
        case "step_start":
          texts = [];
          finish = null;
          return [];
        case "text": {
          const { text, synthetic } = event.part;
          if (synthetic === true) {
            // It compacted its context and goes on: an earlier error no longer counts.
            finish = null;
            problem = null;
            return [];
          }
          if (text !== "") texts.push(text);
          return text === "" ? [] : [{ type: "text", text }];
        }
        case "tool_use": {
          const { tool: written, callID: id, state } = event.part;
          const tool = teamName(written);
          const isError = state.status !== "completed";
          const content = (isError ? state.error : state.output) ?? "";
          return [
            { type: "tool-call", id, tool, args: state.input ?? {} },
            { type: "tool-result", id, tool, content, isError },
          ];
        }
        case "step_finish":
          finish = event.part.reason;
          calls.push(event.part);
          return [];
        case "error":
          problem = event.error;
          if (isContextOverflow(problem)) overflows += 1;
          return [];
        default:
          return [];
      }
    },
    // OpenCode compacts its context and retries, without end if the prompt itself is too long.
    cannotSucceed: () => overflows > 1,
    end(exit) {
      if (problem !== null) return failureOfProblem(problem, login, exit.nowMs);
      if (finish === null) return failureOfStderr(exit);
      if (finish === "tool-calls") {
        return { kind: "failure", class: "crash", message: "It broke off after a tool call, without an answer." };
      }
      return {
        kind: "result",
        text: texts.join("\n\n"),
        session,
        usage: usageOf(calls),
        ...cutOf(finish),
        exitCodeExplained: overflows > 0 && exit.code === 1,
      };
    },
  };
}

function cutOf(finish: string): { readonly cut?: AnswerCut } {
  if (finish === "length") return { cut: "length" };
  return finish === "content-filter" ? { cut: "filter" } : {};
}

function teamName(tool: string): string {
  const prefix = `${TEAM_SERVER}_`;
  return tool.startsWith(prefix) ? tool.slice(prefix.length) : tool;
}

/** OpenCode counts each token in one class only. The cost is from its price list, where an unknown model costs 0. */
function usageOf(calls: readonly { readonly tokens: OpencodeTokens; readonly cost: number }[]): Usage {
  const sum = (of: (tokens: OpencodeTokens) => number): number =>
    calls.reduce((total, { tokens }) => total + of(tokens), 0);
  const usd = calls.reduce((total, { cost }) => total + cost, 0);
  return {
    inputTokens: sum(({ input, cache }) => input + cache.read + cache.write),
    outputTokens: sum(({ output, reasoning }) => output + reasoning),
    cachedInputTokens: sum(({ cache }) => cache.read),
    cacheWriteTokens: sum(({ cache }) => cache.write),
    reasoningTokens: sum(({ reasoning }) => reasoning),
    cost: usd > 0 ? { basis: "estimated", usd } : { basis: "unknown" },
  };
}
