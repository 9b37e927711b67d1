import type { Soul } from "../agent/definition.ts";
import { fingerprintOf, isSameFingerprint, type Fingerprint } from "./fingerprint.ts";
import { itemsOf } from "./learned-soul.ts";
import type { SoulChange } from "./soul-change.ts";
import { standingInstructions } from "./standing-instruction.ts";

/**
 * The facts from which repeated behaviour of an agent is derived. Two signals are counted: a person gives the agent the
 * same standing instruction again and again, or the agent writes documents in one workspace after another. Messages of
 * other agents, pages, files and tools are never read, so that no untrusted content becomes a trait.
 */
export interface ObservedFacts {
  /** Messages of a person to this agent, oldest first. */
  readonly instructions: readonly { readonly message: string; readonly text: string }[];
  /** Documents it wrote, oldest first. */
  readonly written: readonly { readonly space: string; readonly file: string }[];
}

export interface Observation {
  readonly change: SoulChange;
  readonly observation: string;
  readonly evidence: readonly string[];
}

/** Least number of messages of a person with the same fingerprint. */
const OFTEN_INSTRUCTED = 3;
/** Least number of writes, and of workspaces they were in. */
const OFTEN_WRITTEN = 10;
const MANY_WORKSPACES = 3;

const KEEPS_DOCUMENTS = "keeping the shared documents of a team";
const MAX_EVIDENCE = 10;

/** Returns what the soul could learn and does not say yet. */
export function observe({ instructions, written }: ObservedFacts, soul: Soul | undefined): readonly Observation[] {
  return [...fromInstructions(instructions), ...fromDocuments(written)].filter(({ change }) => !isKnown(soul, change));
}

interface Repeated {
  readonly fingerprint: Fingerprint;
  readonly messages: Set<string>;
  words: string;
}

function fromInstructions(instructions: ObservedFacts["instructions"]): readonly Observation[] {
  const repeated: Repeated[] = [];
  for (const { message, text } of instructions) {
    for (const words of standingInstructions(text)) {
      const fingerprint = fingerprintOf(words);
      if (fingerprint.words.size === 0) continue;
      const earlier = repeated.find((each) => isSameFingerprint(each.fingerprint, fingerprint));
      if (earlier === undefined) repeated.push({ fingerprint, messages: new Set([message]), words });
      else {
        earlier.messages.add(message);
        // The last wording counts.
        earlier.words = words;
      }
    }
  }
  return repeated
    .filter(({ messages }) => messages.size >= OFTEN_INSTRUCTED)
    .map(({ messages, words }) => ({
      change: { kind: "add", trait: "principles", item: words },
      observation: `A person said this in ${messages.size} messages: ${words}`,
      evidence: [...messages].slice(-MAX_EVIDENCE),
    }));
}

function fromDocuments(written: ObservedFacts["written"]): readonly Observation[] {
  const spaces = [...new Set(written.map(({ space }) => space))];
  if (written.length < OFTEN_WRITTEN || spaces.length < MANY_WORKSPACES) return [];
  return [
    {
      change: { kind: "add", trait: "expertise", item: KEEPS_DOCUMENTS },
      observation: `It wrote documents ${written.length} times, in ${spaces.length} workspaces.`,
      evidence: [...new Set(written.map(({ space, file }) => `${space} ${file}`))].slice(-MAX_EVIDENCE),
    },
  ];
}

function isKnown(soul: Soul | undefined, change: SoulChange): boolean {
  if (change.kind !== "add") return false;
  const fingerprint = fingerprintOf(change.item);
  return itemsOf(soul, change.trait).some((item) => isSameFingerprint(fingerprintOf(item), fingerprint));
}
