import type { Client } from "../../../client/client.ts";
import { parseTarget } from "../../../domain/message/target.ts";
import { withVariables } from "../../arguments/run-arguments.ts";
import { formatSpace } from "../../output/format-space.ts";
import { Refused } from "../../refused.ts";
import type { ChatEvent } from "../model/chat-state.ts";
import { refusalText } from "./send-text.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** Opens the last instance of a finished workspace again, without its setup and kickoff, so that a message reaches it. */
export async function reopenWorkspace(client: Client, space: string): Promise<ChatEvent | undefined> {
  const named = workflowOf(space);
  if (named === undefined) return NO_WORKSPACE;
  const opened = await client.call("open-workspace", { ...named, continue: true });
  return opened.ok ? undefined : bad(space, refusalText(opened.error));
}

/** Starts the workflow of a workspace anew: with its setup and kickoff. */
export async function startWorkspace(client: Client, space: string, env: Environment): Promise<ChatEvent> {
  const named = workflowOf(space);
  if (named === undefined) return NO_WORKSPACE;
  try {
    const request = await withVariables(client, named, env);
    for await (const event of client.run({ ...request, until: "started" })) {
      if (event.type === "error") return bad(space, refusalText(event));
      if (event.type !== "done") continue;
      const text = `${formatSpace(space)} begins anew, with ${event.participants.join(", ")}.`;
      return { type: "note", space, text, style: "dim" };
    }
  } catch (error) {
    if (error instanceof Refused) return bad(space, refusalText(error.refusal));
    throw error;
  }
  return bad(space, "The daemon ended before it was started. Try again.");
}

const NO_WORKSPACE: ChatEvent = {
  type: "notice",
  text: "Only a workspace is started: open one with /open @NAME.",
  style: "warn",
};

function workflowOf(space: string): { readonly workflow: string; readonly tag: string } | undefined {
  const target = parseTarget(space);
  if (!target.ok || target.value.kind === "dm") return undefined;
  const { workflow, tag } = target.value;
  return { workflow, tag };
}

function bad(space: string, text: string): ChatEvent {
  return { type: "note", space, text, style: "bad" };
}
