import { routes } from "../../../src/contract/headers.ts";

/** The table of the contract says where each field of an operation travels. */
export function requestFor(operation: string, input: object) {
  const route = routes.find((each) => each.operation === operation);
  if (route === undefined) throw new Error(`There is no operation "${operation}".`);
  const fields = new Map(Object.entries(input).filter(([, value]) => value !== undefined));
  const path = route.path.replaceAll(/:(\w+)/g, (_part, name: string) => {
    const value = String(fields.get(name) ?? "");
    fields.delete(name);
    return encodeURIComponent(value);
  });
  if (route.method === "POST" || route.method === "PUT") {
    return { method: route.method, path, body: Object.fromEntries(fields) };
  }
  const query = new URLSearchParams([...fields].map(([name, value]): [string, string] => [name, String(value)]));
  return { method: route.method, path: query.size === 0 ? path : `${path}?${query.toString()}`, body: undefined };
}
