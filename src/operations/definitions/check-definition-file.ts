import * as contract from "../../contract/project/definition-files.ts";
import { ok } from "../../kernel/result.ts";
import { persons } from "../core/access.ts";
import { query } from "../core/define.ts";

export const checkDefinitionFile = query(contract.checkDefinitionFile, {
  access: persons,

  async execute({ file, text }, { services: { definitions } }) {
    const problems = definitions.checkSource(file, text);
    if (!problems.ok) return problems;
    return ok({
      problems: problems.value.map(({ severity, file: place, line, column, message, hint = null }) => ({
        severity,
        file: place,
        line,
        column,
        message,
        hint,
      })),
    });
  },
});
