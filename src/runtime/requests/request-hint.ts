import type { RequestOutcome } from "../../contract/service/work-request.ts";
import { displaySpace, parseSpace } from "../../domain/message/space.ts";
import { DEFAULT_TAG } from "../../domain/names.ts";
import type { StoreReads } from "../../ports/store/store.ts";

/** Returns what a person can type next, by the outcome of a request. Null after a success. */
export async function hintFor(
  store: StoreReads,
  space: string,
  { outcome, failed, incomplete, waits }: Omit<RequestOutcome, "hint">,
): Promise<string | null> {
  const name = displayName(space);
  const inWorkspace = space.startsWith("@");
  const isOpen = (await store.workspaces.status(space))?.state === "open";
  switch (outcome) {
    case "failed": {
      const again = `Try again with: agent-worker dead retry ${failed.length === 1 ? failed[0]?.id : "ID"}`;
      const staysOpen = inWorkspace && isOpen && incomplete.length > 0;
      return staysOpen ? `${name} stays open. ${again} End it with: agent-worker stop ${name}` : again;
    }
    case "nobody_woken": {
      const names = (await store.workspaces.roster(space)).map(({ agent }) => agent);
      const [first = "NAME"] = names;
      const here = names.length === 0 ? "" : ` Here are: ${names.map((each) => `@${each}`).join(", ")}.`;
      return `Nobody in ${name} was addressed, so nobody answers.${here} Wake somebody with @NAME, for example: "@${first} please begin"`;
    }
    case "stopped": {
      const agent = failed[0]?.agent ?? "NAME";
      if (inWorkspace && !isOpen) return `Open it again with: agent-worker start ${startWords(space)}`;
      return goOn(space, name, agent);
    }
    case "incomplete": {
      if (inWorkspace && !isOpen) return "Raise the limit, or ask for less.";
      const budget = await budgetLetter(store, incomplete);
      const ofRun = incomplete.find(({ delivery }) => delivery === null);
      const go = ofRun === undefined ? goOnWith(name) : goOn(space, name, ofRun.agent);
      const next = budget === undefined ? go : `Raise the limit in its file, then: agent-worker dead retry ${budget}`;
      return inWorkspace ? `${name} stays open. ${next} End it with: agent-worker stop ${name}` : next;
    }
    case "parked": {
      const approval = waits.find((wait) => wait.approval !== null)?.approval;
      const decide = approval === undefined ? "" : `Approve with: agent-worker approve ${approval} `;
      return `${decide}The work goes on in the daemon. Follow it with: agent-worker peek ${name} --follow`;
    }
    default:
      return null;
  }
}

function goOn(space: string, name: string, agent: string): string {
  return goOnWith(space.startsWith("@") ? `${agent}${name}` : name);
}

function goOnWith(target: string): string {
  return `Go on with: agent-worker send ${target} "go on"`;
}

/** Returns the dead letter of a budget that a person can raise. The chain of a message has limits of its own. */
async function budgetLetter(store: StoreReads, incomplete: RequestOutcome["incomplete"]): Promise<string | undefined> {
  const ids = incomplete.flatMap(({ delivery }) => delivery ?? []);
  for (const { id, message } of await store.deliveries.byIds(ids)) {
    const root = (await store.messages.byId(message))?.root ?? message;
    if ((await store.causal.tree(root))?.tripped == null) return id;
  }
  return undefined;
}

function startWords(space: string): string {
  const parsed = parseSpace(space);
  if (!parsed.ok || parsed.value.kind !== "workspace") return space;
  return parsed.value.tag === DEFAULT_TAG
    ? parsed.value.workflow
    : `${parsed.value.workflow} --tag ${parsed.value.tag}`;
}

function displayName(space: string): string {
  const parsed = parseSpace(space);
  return parsed.ok ? displaySpace(parsed.value) : space;
}
