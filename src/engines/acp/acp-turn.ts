import type { StepProgress } from "../../ports/engine.ts";
import { TEAM_SERVER } from "../shared/mcp-servers.ts";
import type { AcpCall, AcpUpdate } from "./acp-update.ts";

/**
 * Turns the updates of one turn into events. Agents report a tool call in several updates, the first of them before
 * they know its arguments: the call is emitted when it begins, the result when it is complete. The answer of the turn
 * is the text after its last tool call.
 */
export interface AcpTurn {
  update(update: AcpUpdate): readonly StepProgress[];
  /** Returns all that was reported about a call, including this. */
  callOf(call: ReportedCall): RequestedCall;
  /** Replaces the agent's own result of the call, which would not say why it was refused. */
  refuse(call: ReportedCall, reason: string): void;
  text(): string;
  /** Last reported cost of the whole session in dollars; null when none was reported. */
  sessionCost(): number | null;
}

export type ReportedCall = Omit<AcpCall, "content" | "rawOutput" | "status">;

export interface RequestedCall {
  /** The name it was first reported with. */
  readonly tool: string;
  readonly isTeamTool: boolean;
  readonly kind: string | null;
  readonly paths: readonly string[];
  readonly args: unknown;
}

interface TrackedCall {
  readonly name: string;
  kind: string | null;
  paths: readonly string[];
  args: unknown;
  content: string;
  refusal: string | null;
  state: "announced" | "begun" | "ended";
}

export function createAcpTurn(teamTools: ReadonlySet<string>): AcpTurn {
  const calls = new Map<string, TrackedCall>();
  let texts: string[] = [];
  let cost: number | null = null;

  const track = ({ toolCallId, name, title, kind, locations, rawInput }: ReportedCall): TrackedCall => {
    const call: TrackedCall = calls.get(toolCallId) ?? {
      name: name ?? title ?? "tool",
      kind: null,
      paths: [],
      args: {},
      content: "",
      refusal: null,
      state: "announced",
    };
    calls.set(toolCallId, call);
    call.kind = kind ?? call.kind;
    if (isFilled(locations)) call.paths = locations?.map(({ path }) => path) ?? [];
    if (isFilled(rawInput)) call.args = rawInput;
    return call;
  };

  const progress = (update: AcpCall): StepProgress[] => {
    const call = track(update);
    const { toolCallId: id, status } = update;
    call.content = contentOf(update) || call.content;
    if (call.state === "ended" || typeof status !== "string" || status === "pending") return [];

    const tool = teamTool(call.name, teamTools) ?? call.name;
    const events: StepProgress[] = [];
    if (call.state === "announced") {
      call.state = "begun";
      texts = [];
      events.push({ type: "tool-call", id, tool, args: call.args });
    }
    if (status === "completed" || status === "failed") {
      call.state = "ended";
      const isError = status === "failed" || call.refusal !== null;
      events.push({ type: "tool-result", id, tool, content: call.refusal ?? call.content, isError });
    }
    return events;
  };

  return {
    update(update) {
      switch (update.sessionUpdate) {
        case "agent_message_chunk": {
          const { text = "" } = update.content;
          if (text === "") return [];
          texts.push(text);
          return [{ type: "text", text }];
        }
        case "usage_update":
          if (update.cost?.currency === "USD") cost = update.cost.amount;
          return [];
        default:
          return progress(update);
      }
    },
    callOf: (reported) => {
      const { name, kind, paths, args } = track(reported);
      return { tool: name, isTeamTool: teamTool(name, teamTools) !== null, kind, paths, args };
    },
    refuse: (reported, reason) => {
      track(reported).refusal = reason;
    },
    text: () => texts.join(""),
    sessionCost: () => cost,
  };
}

function isFilled(value: unknown): boolean {
  return typeof value === "object" && value !== null
    ? Object.keys(value).length > 0
    : value !== undefined && value !== null;
}

function contentOf({ content, rawOutput }: AcpCall): string {
  const text = (content ?? [])
    .map((part) => (part.type === "diff" ? `changed ${part.path ?? "a file"}` : (part.content?.text ?? "")))
    .filter((one) => one !== "")
    .join("\n");
  if (text !== "" || rawOutput === undefined || rawOutput === null) return text;
  return typeof rawOutput === "string" ? rawOutput : JSON.stringify(rawOutput);
}

/**
 * Returns the team's name of a tool, or null if it is not the team's. Agents spell a tool of an MCP server in many
 * ways: `agent-worker_send`, `mcp__agent-worker__send`, `agent-worker/send`, `send (agent-worker MCP Server)`.
 *
 * @internal
 */
export function teamTool(name: string, teamTools: ReadonlySet<string>): string | null {
  if (!name.includes(TEAM_SERVER)) return null;
  const words = name.replaceAll(TEAM_SERVER, " ").split(/[^\w]+/);
  return (
    words.map((word) => word.replace(/^_+|_+$/g, "").replace(/^mcp_+/, "")).find((word) => teamTools.has(word)) ?? null
  );
}
