import { APICallError } from "ai";
import { parseJson } from "../../shared/parse-json.ts";
import type { FailureReport } from "../protocol.ts";

/** A failure that contains its report. */
export class WorkerFailure extends Error {
  readonly report: FailureReport;

  constructor(report: FailureReport) {
    super(report.message);
    this.name = "WorkerFailure";
    this.report = report;
  }
}

/** Returns any thrown or streamed error as plain data. Holds nothing of the request, which has the key. */
export function reportOf(error: unknown): FailureReport {
  if (error instanceof WorkerFailure) return error.report;
  const code = codeIn(error);
  const found = APICallError.isInstance(error) ? ofCall(error) : ofStream(error);
  return { message: messageOf(error), ...(code === undefined ? {} : { code }), ...found };
}

function ofCall({ statusCode, responseHeaders = {}, responseBody }: APICallError): Partial<FailureReport> {
  const body = parseJson(responseBody ?? "");
  const inner = isRecord(body) && isRecord(body.error) ? body.error : body;
  const retryAfter = responseHeaders["retry-after"] ?? retryDelay(inner);
  const retryAfterMs = responseHeaders["retry-after-ms"];
  return {
    ...(statusCode === undefined ? {} : { status: statusCode }),
    ...kindsOf(inner, /"quotaId"\s*:\s*"[^"]*PerDay/.test(responseBody ?? "") ? ["daily_quota"] : []),
    ...(retryAfter === undefined ? {} : { retryAfter }),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  };
}

/** Errors inside a stream carry the status they would have had, some of them as their code. */
function ofStream(error: unknown): Partial<FailureReport> {
  if (!isRecord(error)) return {};
  const inner = innerError(error);
  const status = [inner.statusCode, inner.status, inner.code].find(isHttpStatus);
  return { ...(status === undefined ? {} : { status }), ...kindsOf(inner) };
}

function isHttpStatus(value: unknown): value is number {
  return typeof value === "number" && value >= 400 && value <= 599;
}

/** Some providers put an error of their stream into another object. */
function innerError(error: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  if (isRecord(error.response) && isRecord(error.response.error)) return error.response.error;
  return isRecord(error.error) ? error.error : error;
}

function kindsOf(error: unknown, more: readonly string[] = []): Pick<FailureReport, "kinds"> {
  if (!isRecord(error)) return {};
  const kinds = [error.type, error.code, error.status, ...more].filter((kind) => typeof kind === "string");
  return kinds.length === 0 ? {} : { kinds };
}

/** Google writes the retry delay into the details of the body. */
function retryDelay(error: unknown): string | undefined {
  if (!isRecord(error) || !Array.isArray(error.details)) return undefined;
  const delay = error.details.filter(isRecord).find((detail) => typeof detail.retryDelay === "string")?.retryDelay;
  return typeof delay === "string" ? delay : undefined;
}

function messageOf(error: unknown): string {
  const { message } = isRecord(error) ? innerError(error) : {};
  if (typeof message === "string" && message !== "") return message;
  return typeof error === "string" ? error : "the provider failed without a word";
}

/** The code of the innermost cause. */
function codeIn(error: unknown): string | undefined {
  let code: string | undefined;
  for (let at: unknown = error, depth = 0; isRecord(at) && depth < 8; at = at.cause, depth += 1) {
    if (typeof at.code === "string") code = at.code;
  }
  return code;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
