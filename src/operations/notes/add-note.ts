import { z } from "zod";
import { noteView } from "../../contract/memory.ts";
import { ok } from "../../kernel/result.ts";
import { everyone } from "../core/access.ts";
import { proposal } from "../core/define.ts";
import { personalAgent, personalText } from "../core/personal-input.ts";
import { personalOwner } from "../core/personal-owner.ts";

export const addNote = proposal({
  name: "add-note",
  summary: "Write a note into an agent's own notebook.",
  input: z.object({ agent: personalAgent, text: personalText, title: z.string().max(200).optional() }),
  output: z.object({ agent: z.string(), note: noteView }),
  access: everyone,

  async prepare(data, ctx) {
    const owner = await personalOwner(ctx, data.agent);
    if (!owner.ok) return owner;
    const { redact } = ctx.services;
    const { agent, context } = owner.value;
    const note = await context.notes.add(
      redact(data.text),
      data.title === undefined ? {} : { title: redact(data.title) },
    );
    return note.ok ? ok({ agent, note: note.value }) : note;
  },

  async execute(_data, ctx, { agent, note }) {
    await ctx.emit({ type: "note.added", agent, file: note.name });
    return ok({ agent, note });
  },
});
