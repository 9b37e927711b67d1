import { todoLine } from "../../guard/context/personal-sections.ts";
import { asLine } from "../../guard/context/section-markup.ts";
import { refuse } from "../../kernel/refusal.ts";
import { hasArgument, teamTool } from "../tools/team-tool.ts";
import { addTodo } from "./add-todo.ts";
import { finishTodo } from "./finish-todo.ts";
import { listTodos } from "./list-todos.ts";

const { number, text: guard } = finishTodo.input.shape;

const todoAdd = teamTool({
  name: "todo_add",
  description: "Put something on your own list of things to do.",
  input: { text: addTodo.input.shape.text },
  uses: [addTodo],
  returnsUntrusted: false,
  call: (args, ask) => ask(addTodo, args, ({ todo: added }) => `Added as ${added.number}: ${asLine(added.text)}`),
});

const todoDone = teamTool({
  name: "todo_done",
  description: "Tick one of your open todos off by its number.",
  input: { number, text: guard },
  uses: [finishTodo],
  returnsUntrusted: false,
  call: (args, ask) =>
    ask(finishTodo, args, ({ agent, todo: finished }) => ({
      text: `Done: ${asLine(finished.text)}`,
      data: { agent, todo: finished },
      untrusted: finished.outside,
    })),
});

const todoList = teamTool({
  name: "todo_list",
  description: "List your open todos with their numbers.",
  input: {},
  uses: [listTodos],
  call: (_args, ask) =>
    ask(listTodos, {}, ({ agent, todos }) => ({
      text: todos.map((each) => todoLine(each)).join("\n") || "Nothing to do.",
      data: { agent, todos },
      untrusted: todos.some(({ outside }) => outside),
    })),
});

/** Does the work of the three others, which are shown only to agents whose definition names them. */
const todo = teamTool({
  name: "todo",
  description: "Your own todo list: `add` a text, or tick the number `done` off; with neither, show the list.",
  input: { add: addTodo.input.shape.text.optional(), done: number.optional(), text: guard },
  shown: { text: null },
  uses: [addTodo, finishTodo, listTodos],
  partFor: (args) => (hasArgument(args, "add") ? todoAdd : hasArgument(args, "done") ? todoDone : todoList),
  async call({ add, done, text }, ask) {
    if (add !== undefined && done !== undefined) {
      return refuse("invalid", "Add a todo or tick one off, not both at once.", { hint: "Call it twice." });
    }
    if (add !== undefined) return todoAdd.call({ text: add }, ask);
    return done === undefined ? todoList.call({}, ask) : todoDone.call({ number: done, text }, ask);
  },
});

export const todoTools = [todo, todoAdd, todoDone, todoList];
