import { todoLine } from "../../guard/context/personal-sections.ts";
import { asLine } from "../../guard/context/section-markup.ts";
import { teamTool } from "../tools/team-tool.ts";
import { addTodo } from "./add-todo.ts";
import { finishTodo } from "./finish-todo.ts";
import { listTodos } from "./list-todos.ts";

export const todoTools = [
  teamTool({
    name: "todo_add",
    description:
      "Put something on your own list of things to do. After reading what others said or what a file holds it is marked " +
      "as outside text.",
    input: { text: addTodo.input.shape.text },
    uses: [addTodo],
    needs: "personal context",
    returnsUntrusted: false,
    call: (args, ask) => ask(addTodo, args, ({ todo }) => `Added as ${todo.number}: ${asLine(todo.text)}`),
  }),
  teamTool({
    name: "todo_done",
    description: "Tick one of your open todos off by its number.",
    input: { number: finishTodo.input.shape.number, text: finishTodo.input.shape.text },
    uses: [finishTodo],
    needs: "personal context",
    returnsUntrusted: false,
    call: (args, ask) =>
      ask(finishTodo, args, ({ agent, todo }) => ({
        text: `Done: ${asLine(todo.text)}`,
        data: { agent, todo },
        untrusted: todo.outside,
      })),
  }),
  teamTool({
    name: "todo_list",
    description: "List your open todos with their numbers.",
    input: {},
    uses: [listTodos],
    needs: "personal context",
    call: (_args, ask) =>
      ask(listTodos, {}, ({ agent, todos }) => ({
        text: todos.map((todo) => todoLine(todo)).join("\n") || "Nothing to do.",
        data: { agent, todos },
        untrusted: todos.some(({ outside }) => outside),
      })),
  }),
];
