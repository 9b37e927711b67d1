import * as contract from "../../contract/project/definition-files.ts";
import { persons } from "../core/access.ts";
import { query } from "../core/define.ts";

export const draftWorkflowFile = query(contract.draftWorkflowFile, {
  access: persons,

  async execute({ name, fields }, { services: { definitions } }) {
    await definitions.refresh();
    return definitions.draftWorkflow(name, fields);
  },
});
