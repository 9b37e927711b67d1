import * as contract from "../../contract/project/definition-files.ts";
import { persons } from "../core/access.ts";
import { query } from "../core/define.ts";

/** Only for persons: a file may hold what no agent should know, such as values of variables. */
export const readDefinitionFile = query(contract.readDefinitionFile, {
  access: persons,

  async execute({ file }, { services: { definitions } }) {
    await definitions.refresh();
    return definitions.readSource(file);
  },
});
