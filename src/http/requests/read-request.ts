import {
  agentRequest,
  messageRequest,
  teamRequest,
  workflowRequest,
  type CheckedWorkRequest,
} from "../../contract/service/work-request.ts";
import { refuse, type Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";

const FORMS = [
  ["agent", agentRequest],
  ["workflow", workflowRequest],
  ["agents", teamRequest],
  ["to", messageRequest],
] as const;

/** A refusal describes the kind of work request that the fields name, not all four kinds. */
export function readWorkRequest(input: Readonly<Record<string, unknown>>): Result<CheckedWorkRequest, Refusal> {
  const [first, second] = FORMS.filter(([field]) => Object.hasOwn(input, field));
  if (first === undefined || second !== undefined) {
    return refuse("invalid", "It is not clear who is to do it: give one of agent, workflow, agents and to.", {
      hint: 'For example {"agent": "alice", "message": "..."} or {"workflow": "review"}.',
    });
  }
  const [field, form] = first;
  const parsed = form.safeParse(input);
  if (parsed.success) return ok(parsed.data);
  const issues = parsed.error.issues.map(({ path, message }) => ({ path: path.join("."), message }));
  const [issue = { path: "", message: "invalid" }] = issues;
  return refuse("invalid", `${issue.message}${issue.path === "" ? "" : ` in "${issue.path}"`}.`, {
    hint: `With ${field} it takes ${Object.keys(form.shape).join(", ")}.`,
    details: { issues },
  });
}
