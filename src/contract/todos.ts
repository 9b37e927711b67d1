import { z } from "zod";
import { declareProposal, declareQuery } from "./operation.ts";
import { personalAgent, personalText } from "./memory.ts";

export const todoView = z.object({
  /** Position among the open todos, from 1. Null when it is done. */
  number: z.int().nullable(),
  text: z.string(),
  done: z.boolean(),
  /** An agent wrote it after reading untrusted content. */
  outside: z.boolean(),
});

export const listTodos = declareQuery({
  name: "list-todos",
  summary: "List the open todos of an agent, with the numbers to finish them by.",
  method: "GET",
  path: "/agents/:agent/todos",
  personTool: "todo_list",
  input: z.object({ agent: personalAgent, all: z.boolean().default(false).describe("The finished ones too.") }),
  output: z.object({ agent: z.string(), todos: z.array(todoView) }),
});

export const addTodo = declareProposal({
  name: "add-todo",
  summary: "Put something on an agent's list of things to do.",
  method: "POST",
  path: "/agents/:agent/todos",
  personTool: "todo_add",
  input: z.object({ agent: personalAgent, text: personalText }),
  output: z.object({ agent: z.string(), todo: todoView }),
});

export const finishTodo = declareProposal({
  name: "finish-todo",
  summary: "Tick an open todo off by its number.",
  method: "POST",
  path: "/agents/:agent/todos/:number/done",
  personTool: "todo_done",
  input: z.object({
    agent: personalAgent,
    number: z.int().min(1),
    text: z.string().optional().describe("What it says: guards against a list that changed since you read it."),
  }),
  output: z.object({ agent: z.string(), todo: todoView }),
});
