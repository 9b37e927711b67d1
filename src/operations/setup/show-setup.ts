import * as contract from "../../contract/project/setup.ts";
import { ok } from "../../kernel/result.ts";
import { persons } from "../core/access.ts";
import { query } from "../core/define.ts";

export const showSetup = query(contract.showSetup, {
  access: persons,

  async execute(_data, { services: { definitions, machine } }) {
    await definitions.refresh();
    const [engines, providers] = await Promise.all([machine.engines(), machine.providers()]);
    return ok({
      isEmpty: definitions.sources().length === 0 && definitions.problems().length === 0,
      templates: [...machine.templates()],
      engines: [...engines],
      providers: [...providers],
    });
  },
});
