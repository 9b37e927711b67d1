import * as contract from "../../contract/todos.ts";
import { ok } from "../../kernel/result.ts";
import type { TodoItem } from "../../ports/personal-context.ts";
import { everyone } from "../core/access.ts";
import { proposal } from "../core/define.ts";
import { personalOwner } from "../core/personal-owner.ts";
import { writerOf } from "../core/writer.ts";

export const addTodo = proposal(contract.addTodo, {
  access: everyone,

  async prepare(data, ctx) {
    const owner = await personalOwner(ctx, data.agent);
    if (!owner.ok) return owner;
    const { agent, context } = owner.value;
    const outside = writerOf(ctx, agent).origin?.outside === true;
    const effect = ctx.fileEffect((todo: TodoItem) => ({ agent, todo }));
    const todo = await context.todo.add(ctx.services.redact(data.text), { outside, effect });
    return todo.ok ? ok({ agent, todo: todo.value }) : todo;
  },

  async execute(_data, ctx, { agent, todo }) {
    await ctx.emit({ type: "todo.changed", agent });
    return ok({ agent, todo });
  },
});
