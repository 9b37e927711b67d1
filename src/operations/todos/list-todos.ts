import * as contract from "../../contract/todos.ts";
import { ok } from "../../kernel/result.ts";
import { everyone } from "../core/access.ts";
import { query } from "../core/define.ts";
import { personalOwner } from "../core/personal-owner.ts";

export const listTodos = query(contract.listTodos, {
  access: everyone,

  async execute(data, ctx) {
    const owner = await personalOwner(ctx, data.agent);
    if (!owner.ok) return owner;
    const todos = await owner.value.context.todo.list();
    if (!todos.ok) return todos;
    return ok({ agent: owner.value.agent, todos: todos.value.filter(({ done }) => data.all || !done) });
  },
});
