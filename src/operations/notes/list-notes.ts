import * as contract from "../../contract/notes.ts";
import { ok } from "../../kernel/result.ts";
import { everyone } from "../core/access.ts";
import { query } from "../core/define.ts";
import { personalOwner } from "../core/personal-owner.ts";

export const listNotes = query(contract.listNotes, {
  access: everyone,

  async execute(data, ctx) {
    const owner = await personalOwner(ctx, data.agent);
    if (!owner.ok) return owner;
    const notes = await owner.value.context.notes.list(data.limit);
    return notes.ok ? ok({ agent: owner.value.agent, notes: [...notes.value] }) : notes;
  },
});
