import * as contract from "../../contract/project/definition-files.ts";
import { ok } from "../../kernel/result.ts";
import { persons } from "../core/access.ts";
import { query } from "../core/define.ts";

export const listDefinitionFiles = query(contract.listDefinitionFiles, {
  access: persons,

  async execute(_data, { services: { definitions } }) {
    await definitions.refresh();
    const problems = definitions.problems();
    return ok({
      files: definitions
        .sources()
        .map((source) => ({ ...source, problems: problems.filter(({ file }) => file === source.file).length })),
    });
  },
});
