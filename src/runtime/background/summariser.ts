import { readConversationParts } from "../../guard/summary/conversation-parts.ts";
import { messagesToRetry, nextMessages, nextSummaries } from "../../guard/summary/missing-parts.ts";
import { summarisePart, type SummaryModel } from "../../guard/summary/summarise-part.ts";
import { summaryModel } from "../../guard/summary/summary-model.ts";
import type { SummaryPart } from "../../guard/summary/summary-part.ts";
import { systemCaller } from "../../kernel/caller.ts";
import { createSerialQueue } from "../../kernel/serial-queue.ts";
import { storeSummary } from "../../operations/summaries/store-summary.ts";
import type { OmittedMessages } from "../open-project.ts";
import type { BackgroundParts } from "./background-worker.ts";

/**
 * Summarises messages that a prompt had no room for, after the prompt was made: no run waits for a summary. What is left
 * after a stop is summarised after the next prompt that leaves messages out.
 */
export function startSummariser(parts: BackgroundParts): AsyncDisposable {
  const { system, services, omitted, store, clock, log } = parts;
  const closing = new AbortController();
  const queue = createSerialQueue((error, space) => log.error("messages could not be summarised", { space, error }));
  const waiting = new Map<string, OmittedMessages>();
  const read: typeof store.read = (work) => store.read(work);

  /** Returns false when the project closes. */
  const make = async (part: SummaryPart, model: SummaryModel | null, changedFrom: number | null): Promise<boolean> => {
    if (!(await makeOne(part, model, changedFrom))) return false;
    const higher = await nextSummaries(read, part.space);
    return higher === undefined || make(higher, model, null);
  };
  const makeOne = async (
    part: SummaryPart,
    model: SummaryModel | null,
    changedFrom: number | null,
  ): Promise<boolean> => {
    const summary = await summarisePart(part, model, clock.now());
    if (closing.signal.aborted) return false;
    const stored = await system.propose(systemCaller, storeSummary, { summary, changedFrom });
    if (!stored.ok) log.warn("a summary could not be stored", { space: part.space, reason: stored.error.message });
    return stored.ok;
  };

  const summariseFiles = async (
    agent: string,
    space: string,
    before: number,
    model: SummaryModel | null,
  ): Promise<void> => {
    const context = services.personal(agent);
    if (!context.ok) return;
    const known = await read(async (reads) => ({
      summaries: await reads.summaries.ofLevel({ space, level: 0, after: -1, limit: MOST_PARTS }),
      clearedAt: await reads.conversations.clearedAt(agent),
    }));
    const today = new Date(clock.now()).toISOString().slice(0, "YYYY-MM-DD".length);
    const found = await readConversationParts(space, context.value, { ...known, today, before });
    let { changedFrom } = found;
    for (const part of found.missing) {
      if (!(await make(part, model, changedFrom))) return;
      changedFrom = null;
    }
  };

  const summariseStored = async (space: string, before: number, model: SummaryModel | null): Promise<void> => {
    for (const part of model === null ? [] : await messagesToRetry(read, space)) {
      if (!(await make(part, model, null))) return;
    }
    for (let part = await nextMessages(read, space, before); part; part = await nextMessages(read, space, before)) {
      if (!(await make(part, model, null))) return;
    }
  };

  const summarise = async (space: string): Promise<void> => {
    const wanted = waiting.get(space);
    waiting.delete(space);
    if (wanted === undefined || closing.signal.aborted) return;
    const { filesOf, before, definition, mailbox } = wanted;
    const subject = { definition, mailbox, space, run: null };
    const model = summaryModel(services.askGuardModel, subject, "summarise");
    if (filesOf === null) await summariseStored(space, before, model);
    else await summariseFiles(filesOf, space, before, model);
  };

  const observing = omitted.observe((published) => {
    for (const each of published) {
      const isWaiting = waiting.has(each.space);
      waiting.set(each.space, each);
      if (!isWaiting) queue.add(each.space, () => summarise(each.space));
    }
  });

  return {
    async [Symbol.asyncDispose]() {
      observing[Symbol.dispose]();
      closing.abort();
      await queue.idle();
    },
  };
}

/** More parts than years of direct messages have. */
const MOST_PARTS = 100_000;
