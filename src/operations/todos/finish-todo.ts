import * as contract from "../../contract/todos.ts";
import { ok } from "../../kernel/result.ts";
import type { TodoItem } from "../../ports/personal-context.ts";
import { everyone } from "../core/access.ts";
import { proposal } from "../core/define.ts";
import { personalOwner } from "../core/personal-owner.ts";

export const finishTodo = proposal(contract.finishTodo, {
  access: everyone,

  async prepare(data, ctx) {
    const owner = await personalOwner(ctx, data.agent);
    if (!owner.ok) return owner;
    const { agent, context } = owner.value;
    const effect = ctx.fileEffect((todo: TodoItem) => ({ agent, todo }));
    const todo = await context.todo.done(data.number, { text: data.text, effect });
    return todo.ok ? ok({ agent, todo: todo.value }) : todo;
  },

  async execute(_data, ctx, { agent, todo }) {
    await ctx.emit({ type: "todo.changed", agent });
    return ok({ agent, todo });
  },
});
