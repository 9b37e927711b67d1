import * as contract from "../../contract/project/definition-files.ts";
import { ok } from "../../kernel/result.ts";
import { persons } from "../core/access.ts";
import { query } from "../core/define.ts";

export const draftAgentFile = query(contract.draftAgentFile, {
  access: persons,

  async execute({ name, fields }, { services: { definitions } }) {
    await definitions.refresh();
    const draft = definitions.draftAgent(name, fields);
    if (!draft.ok) return draft;
    const { expertise, principles, ...others } = draft.value.fields;
    const list = (values: readonly string[] | null): string[] | null => (values === null ? null : [...values]);
    return ok({ ...draft.value, fields: { ...others, expertise: list(expertise), principles: list(principles) } });
  },
});
