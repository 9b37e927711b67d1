import type { RequestOutcome } from "../../contract/service/work-request.ts";
import { spaceWords, startWordsOf } from "../../domain/message/space-words.ts";
import type { StoreReads } from "../../ports/store/store.ts";

/** Returns what a person can type next, by the outcome of a request. Null after a success. */
export async function hintFor(
  store: StoreReads,
  space: string,
  { outcome, failed, incomplete, waits }: Omit<RequestOutcome, "hint">,
): Promise<string | null> {
  const name = spaceWords(space);
  const inWorkspace = space.startsWith("@");
  const isOpen = (await store.workspaces.status(space))?.state === "open";
  switch (outcome) {
    case "failed": {
      const again = `Try again with: agent-worker dead retry ${failed.length === 1 ? failed[0]?.id : "ID"}`;
      const staysOpen = inWorkspace && isOpen && incomplete.length > 0;
      return staysOpen ? staysOpenText(name, again) : again;
    }
    case "nobody_woken": {
      const names = (await store.workspaces.roster(space)).map(({ agent }) => agent);
      const [first = "NAME"] = names;
      const here = names.length === 0 ? "" : ` Here are: ${names.map((each) => `@${each}`).join(", ")}.`;
      return `Nobody in ${name} was addressed, so nobody answers.${here} Wake somebody with @NAME, for example: "@${first} please begin"`;
    }
    case "stopped": {
      const agent = failed[0]?.agent ?? "NAME";
      if (inWorkspace && !isOpen)
        return `Go on where it stopped with: agent-worker start ${startWordsOf(space)} --continue`;
      return goOn(space, name, agent);
    }
    case "incomplete": {
      if (inWorkspace && !isOpen) return "Raise the limit, or ask for less.";
      const budget = await budgetLetter(store, incomplete);
      const ofRun = incomplete.find(({ delivery }) => delivery === null);
      const go = ofRun === undefined ? goOnWith(name) : goOn(space, name, ofRun.agent);
      const next = budget === undefined ? go : `Raise the limit in its file, then: agent-worker dead retry ${budget}`;
      return inWorkspace ? staysOpenText(name, next) : next;
    }
    case "parked": {
      const approval = waits.find((wait) => wait.approval !== null)?.approval;
      const decide = approval === undefined ? "" : `Approve with: agent-worker approve ${approval}\n`;
      return `${decide}The work goes on in the daemon. Follow it with: agent-worker peek ${name} --follow`;
    }
    default:
      return null;
  }
}

/** Each command ends its line, so that it can be copied as it stands. */
function staysOpenText(name: string, next: string): string {
  return `${name} stays open. ${next}\nEnd it with: agent-worker stop ${name}`;
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
