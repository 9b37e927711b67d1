import { refuse, type Refusal } from "../kernel/refusal.ts";
import { ok, type Result } from "../kernel/result.ts";
import { routes, type Route } from "./routes.gen.ts";

export interface OperationRequest {
  readonly method: Route["method"];
  readonly path: string;
  /** JSON. Absent for GET and DELETE. */
  readonly body?: string;
}

/** The HTTP request that calls an operation. Refused when a field of its path is missing. */
export function operationRequest(operation: string, input: object): Result<OperationRequest, Refusal> {
  const route = routes.find((each) => each.operation === operation);
  if (route === undefined) return refuse("not_found", `There is no operation "${operation}".`);
  const fields = new Map(Object.entries(input).filter(([, value]) => value !== undefined));
  const parts: string[] = [];
  for (const part of route.path.split("/")) {
    if (!part.startsWith(":")) parts.push(part);
    else {
      const name = part.slice(1);
      const value = fields.get(name);
      fields.delete(name);
      if (value === undefined || value === "") return refuse("invalid", `${operation}: "${name}" is missing.`);
      parts.push(encodeURIComponent(String(value)));
    }
  }
  const { method } = route;
  const path = parts.join("/");
  if (method === "POST" || method === "PUT")
    return ok({ method, path, body: JSON.stringify(Object.fromEntries(fields)) });
  const query = [...fields].flatMap(([name, value]) => queryFields(name, value)).join("&");
  return ok({ method, path: query === "" ? path : `${path}?${query}` });
}

function queryFields(name: string, value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap((each) => queryFields(name, each));
  return [`${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`];
}
