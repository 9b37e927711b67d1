import type { FencedText } from "../../guard/model/fenced-texts.ts";
import { isUntrustedMessage } from "../../guard/provenance/provenance.ts";
import type { MessageRecord } from "../../ports/store/message.ts";
import type { RunRecord } from "../../ports/store/run.ts";
import type { StoreReads } from "../../ports/store/store.ts";

const RECENT_MESSAGES = 20;

/**
 * Returns what a run has read, as far as it is stored: the messages it answers, the last results of its tools, and the last
 * messages of its space before it began. The most important first.
 */
export async function readRunEvidence(store: StoreReads, run: RunRecord): Promise<readonly FencedText[]> {
  const deliveries = await store.deliveries.ofRun(run.id);
  const answered = await Promise.all(deliveries.map(({ message }) => store.messages.byId(message)));
  const steps = await store.history.steps(run.id);
  const results = steps.flatMap(({ calls }) => calls).toReversed();
  const recent = await store.messages.page({ space: run.space, limit: RECENT_MESSAGES });
  const hasChannel = (await store.workspaces.byKey(run.space))?.channel !== false;
  const known = new Set(deliveries.map(({ message }) => message));
  const seen = recent.filter(({ id, sender, addressee, createdAt }) => {
    if (known.has(id) || createdAt > run.startedAt) return false;
    return hasChannel || sender === run.agent || addressee === run.agent;
  });
  return [
    ...answered.flatMap((message) => (message === undefined ? [] : [messageText(message, run.agent)])),
    ...results.flatMap(({ tool, result }) =>
      result === null ? [] : [{ id: `result of ${tool}`, text: result, untrusted: true }],
    ),
    ...seen.toReversed().map((message) => messageText(message, run.agent)),
  ];
}

function messageText(message: MessageRecord, agent: string): FencedText {
  return {
    id: message.id,
    from: message.sender,
    at: new Date(message.createdAt).toISOString(),
    text: message.body,
    untrusted: isUntrustedMessage({ ...message, from: message.sender }, agent),
  };
}
