import { EngineFailure } from "../../ports/engine.ts";
import { lastLine, oneLine } from "../shared/failure-text.ts";
import type { CliExit, CliFailure } from "./cli-dialect.ts";

const QUOTA =
  /usage limit|hit your (?:\w+ )?limit|(?<!rate )limit reached|quota exceeded|exceeded your current quota|insufficient[_ ](?:quota|credits|balance)|credit balance|out of credits|billing/i;
const LOGIN =
  /\b40[13]\b|unauthori[sz]ed|forbidden|not logged in|(?:please|must|need to) log ?in|log(?:ged)? ?in again|(?:invalid|incorrect|missing|expired).{0,20}(?:api[ -]?key|token|credential)|api[ -]?key.{0,30}(?:invalid|incorrect|missing|expired|required)|authentication|could not be refreshed/i;
const TOO_LONG =
  /context[_ ](?:window|length)|prompt is too long|input (?:is too long|exceeds)|maximum context|too many tokens/i;
const MODEL =
  /model.{0,80}(?:does not exist|not found|not supported|not available|may not exist)|unknown model|invalid model/i;
const USAGE = /(?:unknown|unrecognized|unexpected|invalid) (?:option|argument|flag|subcommand|value)/i;
const REQUEST = /\b400\b|invalid[_ ]request/i;

/** Classifies the failure of a program that reports only a text. A text that matches no pattern is transient. */
export function failureOfMessage(
  message: string,
  options: { readonly login: string; readonly nowMs: number },
): CliFailure {
  const failure = (kind: CliFailure["class"], text = message): CliFailure => ({
    kind: "failure",
    class: kind,
    message: text,
  });
  if (QUOTA.test(message)) return { ...failure("quota"), ...resetIn(message, options.nowMs) };
  if (LOGIN.test(message)) return failure("permanent", `${oneLine(message)} ${options.login}`);
  if (TOO_LONG.test(message)) return { ...failure("permanent"), sessionUnusable: true };
  if (MODEL.test(message)) return failure("permanent");
  if (USAGE.test(message)) return failure("permanent", `${oneLine(message)} Update the program.`);
  if (REQUEST.test(message)) return { ...failure("permanent"), sessionUnusable: true };
  return { ...failure("transient"), ...retryIn(message) };
}

/** A program that ended without an outcome has crashed, unless the last line of its standard error explains the end. */
export function failureOfExit(exit: CliExit, signal: string | undefined, login: string): CliFailure {
  const error = lastLine(exit.stderr);
  const end =
    exit.code === null ? `was killed${signal === undefined ? "" : ` by ${signal}`}` : `ended with code ${exit.code}`;
  if (exit.code !== null && exit.code !== 0 && error !== "") {
    const explained = failureOfMessage(error, { login, nowMs: exit.nowMs });
    if (explained.class !== "transient") return explained;
  }
  const message = `It ${end} without a result${error === "" ? "" : `: ${error}`}`;
  return { kind: "failure", class: "crash", message };
}

export function engineFailure(title: string, failure: CliFailure, redact: (text: string) => string): EngineFailure {
  const { retryAfterMs, resetAtMs } = failure;
  return new EngineFailure(failure.class, `${title}: ${oneLine(redact(failure.message))}`, {
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    ...(resetAtMs === undefined ? {} : { resetAtMs }),
  });
}

/** "try again at Nov 16th, 2026 1:17 AM", "resets at 2026-11-16T01:17:00Z", "resets in 7200 seconds". */
function resetIn(message: string, nowMs: number): { readonly resetAtMs?: number } {
  const date =
    /\b(?:at|on|until) ([A-Z][a-z]{2,8} \d{1,2}(?:st|nd|rd|th)?,? \d{4}(?:,? \d{1,2}:\d{2}(?::\d{2})? ?(?:[AP]M)?)?|\d{4}-\d{2}-\d{2}T[\d:.]+Z?)/.exec(
      message,
    );
  const time = Date.parse((date?.[1] ?? "").replace(/(\d)(?:st|nd|rd|th)\b/, "$1"));
  if (!Number.isNaN(time)) return { resetAtMs: time };
  const { retryAfterMs } = retryIn(message);
  return retryAfterMs === undefined ? {} : { resetAtMs: nowMs + retryAfterMs };
}

const UNIT_MS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000, s: 1_000 };

/** "Please try again in 17s", "in 1.5 seconds", "in 350ms", "in 3 hours". */
function retryIn(message: string): { readonly retryAfterMs?: number } {
  const wait = /\b(?:again|resets?|retry(?:ing)?)\b.{0,10}? in (\d+(?:\.\d+)?) ?(ms|milliseconds?|s|m|h|d)/i.exec(
    message,
  );
  if (wait === null) return {};
  const [, amount = "", unit = ""] = wait;
  const factor = /^m(?:s|illi)/i.test(unit) ? 1 : (UNIT_MS[unit.toLowerCase()] ?? 1_000);
  return { retryAfterMs: Math.ceil(Number.parseFloat(amount) * factor) };
}
