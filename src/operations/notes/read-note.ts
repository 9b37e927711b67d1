import { z } from "zod";
import { ok } from "../../kernel/result.ts";
import { everyone } from "../core/access.ts";
import { query } from "../core/define.ts";
import { personalAgent } from "../core/personal-input.ts";
import { personalOwner } from "../core/personal-owner.ts";

export const readNote = query({
  name: "read-note",
  summary: "Read one note of an agent.",
  input: z.object({
    agent: personalAgent,
    name: z.string().min(1).describe("File name, as the list of notes gives it."),
  }),
  output: z.object({ agent: z.string(), name: z.string(), content: z.string() }),
  access: everyone,

  async answer(data, ctx) {
    const owner = await personalOwner(ctx, data.agent);
    if (!owner.ok) return owner;
    const content = await owner.value.context.notes.read(data.name);
    return content.ok ? ok({ agent: owner.value.agent, name: data.name, content: content.value }) : content;
  },
});
