import { routes } from "../contract/headers.ts";
import { person, type Caller } from "../kernel/caller.ts";
import { operations } from "../operations/core/registry.ts";
import type { Identity } from "../runtime/daemon-context.ts";
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
      handle: ({ project, identity, input: given }) => project.system.call(callerOf(identity), operation, given),
      about: { id: name, summary, input, output },
    };
  });
}

/** Who asks, from the credential alone. */
export function callerOf(identity: Identity): Caller {
  return identity.kind === "person" ? person : identity.credential.caller;
}
