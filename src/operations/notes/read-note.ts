import * as contract from "../../contract/notes.ts";
import { ok } from "../../kernel/result.ts";
import { everyone } from "../core/access.ts";
import { query } from "../core/define.ts";
import { personalOwner } from "../core/personal-owner.ts";

export const readNote = query(contract.readNote, {
  access: everyone,

  async execute(data, ctx) {
    const owner = await personalOwner(ctx, data.agent);
    if (!owner.ok) return owner;
    const note = await owner.value.context.notes.read(data.name);
    return note.ok ? ok({ agent: owner.value.agent, name: data.name, ...note.value }) : note;
  },
});
