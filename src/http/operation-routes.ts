import { routes } from "../contract/headers.ts";
import { operations } from "../operations/core/registry.ts";
import { inputFields, type InputFields } from "./input-fields.ts";
import { LARGE_BODY_BYTES, SMALL_BODY_BYTES } from "./request-body.ts";
import type { ProjectRoute } from "./served-route.ts";

/** The operations, each at the place the contract gives it. */
export function operationRoutes(): ProjectRoute[] {
  const byName = new Map(operations.map((operation) => [operation.name, operation]));
  return routes.map(({ operation: name, method, path, large }) => {
    const operation = byName.get(name);
    if (operation === undefined)
      throw new Error(`The route ${method} ${path} leads to "${name}", which does not exist.`);
    const { summary, input, output, access } = operation;
    let fields: InputFields | undefined;
    return {
      kind: "project",
      method,
      path,
      access,
      bodyLimit: large === true ? LARGE_BODY_BYTES : SMALL_BODY_BYTES,
      fields: () => (fields ??= inputFields(input)),
      handle: ({ project, caller, input: given }) => project.system.call(caller, operation, given),
      about: { id: name, summary, input, output },
    };
  });
}
