import type { RuleView } from "../../contract/rules.ts";
import { asLine } from "../../guard/context/section-markup.ts";
import { teamTool } from "../tools/team-tool.ts";
import { addRule } from "./add-rule.ts";
import { listRules } from "./list-rules.ts";
import { removeRule } from "./remove-rule.ts";

const { target: _, ...addFields } = addRule.input.shape;

/** Offered only to agents whose definition names them among its tools. */
export const ruleTools = [
  teamTool({
    name: "rule_add",
    description:
      "Add a rule here: when a message, document or ballot matches `when`, what `then` says is proposed as you. " +
      "It may send-message or create-ballot.",
    input: addFields,
    uses: [addRule],
    call: (args, ask) => ask(addRule, args, (rule) => `Added.\n${ruleText(rule)}`),
  }),
  teamTool({
    name: "rule_list",
    description: "List the rules of this workspace.",
    input: {},
    uses: [listRules],
    call: (_args, ask) => ask(listRules, {}, ({ rules }) => rules.map(ruleText).join("\n") || "There are no rules."),
  }),
  teamTool({
    name: "rule_remove",
    description: "Remove a rule that you added.",
    input: { id: removeRule.input.shape.id },
    uses: [removeRule],
    call: (args, ask) => ask(removeRule, args, ({ name }) => `Removed the rule ${name}.`),
  }),
];

function ruleText({ id, name, author, when, then, total, resting }: RuleView): string {
  const state = resting ? "resting until a person writes" : `acted ${total} times`;
  const facts = [
    `on ${when.on}`,
    ...Object.entries(when).flatMap(([key, value]) => (key === "on" ? [] : [`${key} ${value}`])),
  ];
  return `${id} ${name} by ${author}: ${asLine(facts.join(", "))} -> ${then.propose} (${state})`;
}
