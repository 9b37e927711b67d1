import { z } from "zod";
import { todoView } from "../../contract/memory.ts";
import { ok } from "../../kernel/result.ts";
import { everyone } from "../core/access.ts";
import { proposal } from "../core/define.ts";
import { personalAgent } from "../core/personal-input.ts";
import { personalOwner } from "../core/personal-owner.ts";

export const finishTodo = proposal({
  name: "finish-todo",
  summary: "Tick an open todo off by its number.",
  input: z.object({
    agent: personalAgent,
    number: z.int().min(1),
    text: z.string().optional().describe("What it says: guards against a list that changed since you read it."),
  }),
  output: z.object({ agent: z.string(), todo: todoView }),
  access: everyone,

  async prepare(data, ctx) {
    const owner = await personalOwner(ctx, data.agent);
    if (!owner.ok) return owner;
    const { agent, context } = owner.value;
    const todo = await context.todo.done(data.number, data.text);
    return todo.ok ? ok({ agent, todo: todo.value }) : todo;
  },

  async execute(_data, ctx, { agent, todo }) {
    await ctx.emit({ type: "todo.changed", agent });
    return ok({ agent, todo });
  },
});
