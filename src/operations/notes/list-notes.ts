import { z } from "zod";
import { noteView } from "../../contract/memory.ts";
import { ok } from "../../kernel/result.ts";
import { everyone } from "../core/access.ts";
import { query } from "../core/define.ts";
import { personalAgent } from "../core/personal-input.ts";
import { personalOwner } from "../core/personal-owner.ts";

export const listNotes = query({
  name: "list-notes",
  summary: "List the notes of an agent, newest first.",
  input: z.object({ agent: personalAgent, limit: z.int().min(1).max(500).default(20) }),
  output: z.object({ agent: z.string(), notes: z.array(noteView) }),
  access: everyone,

  async answer(data, ctx) {
    const owner = await personalOwner(ctx, data.agent);
    if (!owner.ok) return owner;
    const notes = await owner.value.context.notes.list(data.limit);
    return notes.ok ? ok({ agent: owner.value.agent, notes: [...notes.value] }) : notes;
  },
});
