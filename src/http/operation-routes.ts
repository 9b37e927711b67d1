import { checkAccess } from "../kernel/proposal.ts";
import { operations } from "../contract/operations.ts";
import { implementations } from "../operations/registry.gen.ts";
import { inputFields, type InputFields } from "./input-fields.ts";
import { LARGE_BODY_BYTES, SMALL_BODY_BYTES } from "./request-body.ts";
import { refusals } from "./refusals.gen.ts";
import type { ProjectRoute } from "./served-route.ts";

/** One route for each declared operation. */
export function operationRoutes(): ProjectRoute[] {
  return operations.map(({ name, summary, method, path, large, input, output }) => {
    const implementation = implementations[name];
    let fields: InputFields | undefined;
    return {
      kind: "project",
      method,
      path,
      access: (caller) => checkAccess(caller, implementation),
      bodyLimit: large === true ? LARGE_BODY_BYTES : SMALL_BODY_BYTES,
      fields: () => (fields ??= inputFields(input)),
      handle: ({ project, caller, input: data }) => project.system.call(caller, implementation, data),
      about: { id: name, summary, input, output, refusals: refusals[name] },
    };
  });
}
