import * as contract from "../../contract/notes.ts";
import { ok } from "../../kernel/result.ts";
import type { NoteInfo } from "../../ports/personal-context.ts";
import { everyone } from "../core/access.ts";
import { proposal } from "../core/define.ts";
import { personalOwner } from "../core/personal-owner.ts";
import { writerOf } from "../core/writer.ts";

export const addNote = proposal(contract.addNote, {
  access: everyone,

  async prepare(data, ctx) {
    const owner = await personalOwner(ctx, data.agent);
    if (!owner.ok) return owner;
    const { redact } = ctx.services;
    const { agent, context } = owner.value;
    const title = data.title === undefined ? {} : { title: redact(data.title) };
    const effect = ctx.fileEffect((note: NoteInfo) => ({ agent, note }));
    const note = await context.notes.add(redact(data.text), { ...title, writer: writerOf(ctx, agent), effect });
    return note.ok ? ok({ agent, note: note.value }) : note;
  },

  async execute(_data, ctx, { agent, note }) {
    await ctx.emit({ type: "note.added", agent, file: note.name });
    return ok({ agent, note });
  },
});
