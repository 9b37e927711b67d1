import * as contract from "../../contract/project/definition-files.ts";
import { ok } from "../../kernel/result.ts";
import { persons } from "../core/access.ts";
import { query } from "../core/define.ts";

export const draftWorkflowFile = query(contract.draftWorkflowFile, {
  access: persons,

  async execute({ name, fields }, { services: { definitions } }) {
    await definitions.refresh();
    const drafted = definitions.draftWorkflow(name, fields);
    if (!drafted.ok) return drafted;
    const { members } = drafted.value.fields;
    return ok({ ...drafted.value, fields: { ...drafted.value.fields, members: [...members] } });
  },
});
