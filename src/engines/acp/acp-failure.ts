import type { AuthMethod, RequestError, StopReason } from "@agentclientprotocol/sdk";
import { classifyFailure } from "../../domain/delivery/classify.ts";
import { EngineFailure } from "../../ports/engine.ts";
import { oneLine } from "../shared/failure-text.ts";

const AUTH_REQUIRED = -32_000;
const INVALID = new Set([-32_600, -32_601, -32_602]);

/** Returns why a turn failed; null for a turn that has an answer. */
export function failureOfStop(reason: StopReason, title: string): EngineFailure | null {
  switch (reason) {
    case "end_turn":
    case "max_tokens":
      return null;
    case "max_turn_requests":
      return new EngineFailure("permanent", `${title}: it used up the model calls it allows itself in a turn.`);
    case "refusal":
      return new EngineFailure("permanent", `${title}: the model refused to go on.`);
    default:
      return new EngineFailure("crash", `${title}: the turn was cancelled, and not by us.`);
  }
}

export function failureOfAnswer(error: RequestError, title: string, logins: readonly AuthMethod[]): EngineFailure {
  const message = oneLine(detailOf(error));
  if (error.code === AUTH_REQUIRED || /\b(?:401|403)\b|unauthori[sz]ed|api key/i.test(message)) {
    const advice = logins.map(({ description, name }) => description ?? name).join("; or ");
    return new EngineFailure("permanent", `${title}: ${message}${advice === "" ? "" : ` ${advice}.`}`);
  }
  if (INVALID.has(error.code)) return new EngineFailure("permanent", `${title}: ${message}`);
  const status = /\b(4\d\d|5\d\d)\b/.exec(message)?.[1];
  const quotaExhausted = /quota|usage limit|credit balance|billing/i.test(message);
  const kind = classifyFailure({ quotaExhausted, ...(status === undefined ? {} : { status: Number(status) }) });
  return new EngineFailure(kind, `${title}: ${message}`);
}

/** Agents put the cause into `data`, in a shape of their own, and "Internal error" into the message. */
function detailOf({ message, data }: RequestError): string {
  if (data === undefined || data === null) return message;
  if (typeof data === "string") return `${message}: ${data}`;
  const detail = Object.entries(data).find(
    ([name]) => name === "details" || name === "message" || name === "error",
  )?.[1];
  return `${message}: ${typeof detail === "string" ? detail : JSON.stringify(data)}`;
}
