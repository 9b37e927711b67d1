import { z } from "zod";
import { mailboxOf } from "../domain/delivery/mailbox.ts";
import { formatSpace } from "../domain/message/space.ts";
import { parseTarget, targetSpace } from "../domain/message/target.ts";
import { checkParticipant } from "../domain/workspace/participation.ts";
import { splitTag } from "../domain/workspace/sub-space.ts";
import { displayWorkspace } from "../domain/workspace/workspace.ts";
import { refuse, type Refusal } from "../kernel/refusal.ts";
import { err, ok, type Result } from "../kernel/result.ts";
import { findAgent } from "../operations/agents/find-agent.ts";
import { persons } from "../operations/core/access.ts";
import { explainRefusal } from "../operations/core/explain-refusal.ts";
import { stopAgent } from "../runtime/loop/stop-agent.ts";
import type { RunningProject } from "../runtime/running-project.ts";
import { inputFields } from "./input-fields.ts";
import { SMALL_BODY_BYTES } from "./request-body.ts";
import type { ProjectRoute } from "./served-route.ts";

const MOST_NAMED = 5;

const input = z.object({
  name: z.string().describe("alice, or helper@review for an agent that exists in a workspace only"),
});
const output = z.object({ name: z.string(), state: z.literal("stopped") });

/** Stops an agent until something new comes for it. Not an operation, because it also waits for the end of the loop. */
export const stopAgentRoute: ProjectRoute = {
  kind: "project",
  method: "POST",
  path: "/agents/:name/stop",
  access: persons,
  bodyLimit: SMALL_BODY_BYTES,
  fields: () => inputFields(input),
  about: { id: "stop-agent", summary: "End an agent's loop until something new comes for it.", input, output },
  async handle({ project, input: fields }) {
    const { name } = input.parse(fields);
    const mailbox = await findMailbox(project, name);
    if (!mailbox.ok) return err(await notThere(project, mailbox.error));
    const stopped = await stopAgent(project, mailbox.value);
    if (!stopped.ok) return stopped;
    return ok({ name, state: "stopped" } satisfies z.output<typeof output>);
  },
};

async function findMailbox(project: RunningProject, name: string): Promise<Result<string, Refusal>> {
  const target = parseTarget(name);
  if (!target.ok) return target;
  if (target.value.kind === "channel") {
    return refuse("invalid", `${name} is a workspace.`, { hint: `Stop it with: agent-worker stop ${name}` });
  }
  const { agent } = target.value;
  if (target.value.kind === "dm") {
    const found = await findAgent(project.definitions, agent);
    if (found.ok || (await isAtWork(project, agent))) return ok(agent);
    const open = await project.store.read((store) => store.workspaces.list({ state: "open" }));
    const ofWorkflow = open.filter(({ workflow, tag }) => workflow === agent && splitTag(tag).name === undefined);
    if (ofWorkflow.length === 0) return found;
    const commands = ofWorkflow.map((each) => `agent-worker stop @${displayWorkspace(each)}`);
    return refuse("not_found", `${agent} is a workflow, and no agent.`, {
      hint: `Stop its workspace with: ${commands.slice(0, MOST_NAMED).join(", ")}`,
    });
  }
  const space = formatSpace(targetSpace(target.value));
  const member = await project.store.read((store) => store.workspaces.member(space, agent));
  if (member !== undefined) return ok(mailboxOf(agent, member.ref, space));
  const { workflow, tag } = target.value;
  const { state, participants } = await project.store.read(async (store) => ({
    state: (await store.workspaces.status(space))?.state,
    participants: (await store.workspaces.roster(space)).map((each) => each.agent),
  }));
  const refused = checkParticipant({ workflow, tag, agent, running: state === "open", participants }, agent);
  return refused.ok ? ok(mailboxOf(agent, agent, space)) : refused;
}

/** An agent whose file was removed or has a mistake by now may still be at work. */
async function isAtWork({ store }: RunningProject, mailbox: string): Promise<boolean> {
  const unfinished = await store.read((reads) => reads.runs.unfinished());
  return unfinished.some((run) => run.mailbox === mailbox);
}

/** Whatever the reason is, the agent that the path names is not there. */
async function notThere(project: RunningProject, refusal: Refusal): Promise<Refusal> {
  const explained = await explainRefusal(refusal, project);
  return explained.code === "invalid" ? explained : { ...explained, code: "not_found" };
}
