import type { ParamSpec } from "../../../domain/workflow/definition.ts";
import { bindParams } from "../../../domain/workflow/params.ts";
import { quoted } from "../../yaml/excerpt.ts";
import type { YamlPath } from "../../yaml/problem.ts";
import type { Report } from "../../yaml/report.ts";
import type { ParamsFile } from "../schema/workflow-schema.ts";
import { defined } from "./defined.ts";

const PARAM_NAME = /^[a-zA-Z_][\w-]{0,63}$/u;

/** Converts the parameters of a workflow: a mapping by name, or a list of entries with a name. */
export function normaliseParams(file: ParamsFile | undefined, report: Report): readonly ParamSpec[] {
  if (file === undefined) return [];
  const entries = Array.isArray(file)
    ? file.map((spec, index) => ({
        ...spec,
        at: ["params", index] as YamlPath,
        nameAt: ["params", index, "name"] as YamlPath,
      }))
    : Object.entries(file).map(([name, spec]) => ({ ...spec, name, at: ["params", name], nameAt: ["params", name] }));
  const seen = new Set<string>();
  return entries.map(({ at, nameAt, name, ...spec }) => {
    const part = Array.isArray(file) ? "value" : "key";
    if (!PARAM_NAME.test(name)) {
      report.error(nameAt, `${quoted(name)} is not a name for a parameter.`, {
        part,
        hint: "Use letters, digits, _ and -.",
      });
    }
    if (seen.has(name)) report.error(nameAt, `The parameter ${quoted(name)} is declared twice.`, { part });
    seen.add(name);
    const { type = "string", description, required = false, default: initial, choices } = spec;
    const param = { name, type, required, ...defined({ description, default: initial, choices }) };
    checkDefault(param, at, report);
    return param;
  });
}

/** A default must be a valid value of its parameter. */
function checkDefault(param: ParamSpec, at: YamlPath, report: Report): void {
  if (param.default === undefined) return;
  const bound = bindParams([param], {});
  if (!bound.ok) report.error([...at, "default"], bound.error.message);
}
