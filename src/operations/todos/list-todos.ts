import { z } from "zod";
import { todoView } from "../../contract/memory.ts";
import { ok } from "../../kernel/result.ts";
import { everyone } from "../core/access.ts";
import { query } from "../core/define.ts";
import { personalAgent } from "../core/personal-input.ts";
import { personalOwner } from "../core/personal-owner.ts";

export const listTodos = query({
  name: "list-todos",
  summary: "List the open todos of an agent, with the numbers to finish them by.",
  input: z.object({ agent: personalAgent, all: z.boolean().default(false).describe("The finished ones too.") }),
  output: z.object({ agent: z.string(), todos: z.array(todoView) }),
  access: everyone,

  async answer(data, ctx) {
    const owner = await personalOwner(ctx, data.agent);
    if (!owner.ok) return owner;
    const todos = await owner.value.context.todo.list();
    if (!todos.ok) return todos;
    return ok({ agent: owner.value.agent, todos: todos.value.filter(({ done }) => data.all || !done) });
  },
});
