import type { StepEnd, StepEvent } from "../../ports/engine.ts";
import { teamTool } from "./acp-team-tool.ts";
import type { AcpCall, AcpUpdate } from "./acp-update.ts";

/**
 * What an agent tells of one turn, as events. Agents announce a tool call before they know its arguments and tell it
 * piece by piece, so a call is passed on when it begins, and its answer when it is complete. The answer of the turn is
 * the text after its last tool call.
 */
export interface AcpTurn {
  update(update: AcpUpdate): readonly Exclude<StepEvent, StepEnd>[];
  /** The name of the tool of a call, as it was first told, and the team's name of it if it is one of the team's. */
  toolOf(call: CallName): { readonly name: string; readonly teamName: string | null };
  /** The call is refused: the agent's own word for it would not say why. */
  refuse(call: CallName, reason: string): void;
  text(): string;
  /** The last cost told, of the whole session, in dollars; null when none was. */
  sessionCost(): number | null;
}

export type CallName = Pick<AcpCall, "toolCallId" | "name" | "title">;

interface KnownCall {
  readonly name: string;
  args: unknown;
  content: string;
  refusal: string | null;
  state: "announced" | "begun" | "ended";
}

export function createAcpTurn(teamTools: ReadonlySet<string>): AcpTurn {
  const calls = new Map<string, KnownCall>();
  let texts: string[] = [];
  let cost: number | null = null;

  const known = ({ toolCallId, name, title }: CallName): KnownCall => {
    const before = calls.get(toolCallId);
    if (before !== undefined) return before;
    const call: KnownCall = { name: name ?? title ?? "tool", args: {}, content: "", refusal: null, state: "announced" };
    calls.set(toolCallId, call);
    return call;
  };

  const progress = (told: AcpCall): Exclude<StepEvent, StepEnd>[] => {
    const call = known(told);
    const { toolCallId: id, rawInput, status } = told;
    if (isFilled(rawInput)) call.args = rawInput;
    call.content = contentOf(told) || call.content;
    if (call.state === "ended" || typeof status !== "string" || status === "pending") return [];

    const tool = teamTool(call.name, teamTools) ?? call.name;
    const events: Exclude<StepEvent, StepEnd>[] = [];
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
    toolOf: (call) => {
      const { name } = known(call);
      return { name, teamName: teamTool(name, teamTools) };
    },
    refuse: (call, reason) => {
      known(call).refusal = reason;
    },
    text: () => texts.join(""),
    sessionCost: () => cost,
  };
}

function isFilled(value: unknown): boolean {
  return typeof value === "object" && value !== null ? Object.keys(value).length > 0 : value !== undefined;
}

function contentOf({ content, rawOutput }: AcpCall): string {
  const text = (content ?? [])
    .map((part) => (part.type === "diff" ? `changed ${part.path ?? "a file"}` : (part.content?.text ?? "")))
    .filter((one) => one !== "")
    .join("\n");
  if (text !== "" || rawOutput === undefined || rawOutput === null) return text;
  return typeof rawOutput === "string" ? rawOutput : JSON.stringify(rawOutput);
}
