import { routes } from "../contract/headers.ts";
import { refuse, type Refusal } from "../kernel/refusal.ts";
import { ok, type Result } from "../kernel/result.ts";
import type { WireRequest } from "./transport/connection.ts";

/** The request that calls an operation: `contract/headers.ts` says where each of its fields travels. */
export function operationRequest(
  operation: string,
  input: object,
): Result<Pick<WireRequest, "method" | "path" | "body">, Refusal> {
  const route = routes.find((each) => each.operation === operation);
  if (route === undefined) return refuse("not_found", `There is no operation "${operation}".`);
  const left = new Map(Object.entries(input).filter(([, value]) => value !== undefined));
  const parts: string[] = [];
  for (const part of route.path.split("/")) {
    if (!part.startsWith(":")) parts.push(part);
    else {
      const name = part.slice(1);
      const value = left.get(name);
      left.delete(name);
      if (value === undefined || value === "") return refuse("invalid", `${operation}: "${name}" is missing.`);
      parts.push(encodeURIComponent(String(value)));
    }
  }
  const { method } = route;
  const path = parts.join("/");
  if (method === "POST" || method === "PUT")
    return ok({ method, path, body: JSON.stringify(Object.fromEntries(left)) });
  const query = [...left].flatMap(([name, value]) => queryFields(name, value)).join("&");
  return ok({ method, path: query === "" ? path : `${path}?${query}` });
}

function queryFields(name: string, value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap((each) => queryFields(name, each));
  return [`${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`];
}
