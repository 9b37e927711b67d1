import type { Soul } from "../agent/definition.ts";
import { fingerprintOf, isSameFingerprint, type Fingerprint } from "./fingerprint.ts";
import { itemsOf } from "./learned-soul.ts";
import type { SoulChange } from "./soul-change.ts";
import { standingInstructions } from "./standing-instruction.ts";

/**
 * What repeated behaviour says about a soul. Two signals, both counted and neither guessed: a person keeps telling the
 * agent the same standing thing, or the agent keeps the documents of one workspace after another. What other agents,
 * pages, files or tools say is never looked at, so that no text from outside becomes a trait; the only words that are
 * taken over are a person's own.
 */
export interface ObservedFacts {
  /** What a person said to this agent, oldest first. */
  readonly told: readonly { readonly message: string; readonly text: string }[];
  /** Documents it wrote, oldest first. */
  readonly written: readonly { readonly space: string; readonly file: string }[];
}

export interface Observation {
  readonly change: SoulChange;
  readonly observation: string;
  readonly evidence: readonly string[];
}

/** So many different messages of a person with the same gist. */
const TOLD_OFTEN = 3;
/** So many writes, in so many workspaces. */
const WRITTEN_OFTEN = 10;
const WRITTEN_WIDELY = 3;

const KEEPS_DOCUMENTS = "keeping the shared documents of a team";
const MOST_EVIDENCE = 10;

/** Nothing the soul says already. */
export function observe({ told, written }: ObservedFacts, soul: Soul | undefined): readonly Observation[] {
  return [...fromInstructions(told), ...fromDocuments(written)].filter(({ change }) => !isKnown(soul, change));
}

interface Repeated {
  readonly gist: Fingerprint;
  readonly messages: Set<string>;
  words: string;
}

function fromInstructions(told: ObservedFacts["told"]): readonly Observation[] {
  const repeated: Repeated[] = [];
  for (const { message, text } of told) {
    for (const words of standingInstructions(text)) {
      const gist = fingerprintOf(words);
      if (gist.words.size === 0) continue;
      const known = repeated.find((each) => isSameFingerprint(each.gist, gist));
      if (known === undefined) repeated.push({ gist, messages: new Set([message]), words });
      else {
        known.messages.add(message);
        // The last wording is the one the person came to.
        known.words = words;
      }
    }
  }
  return repeated
    .filter(({ messages }) => messages.size >= TOLD_OFTEN)
    .map(({ messages, words }) => ({
      change: { kind: "add", trait: "principles", item: words },
      observation: `A person said this in ${messages.size} messages: ${words}`,
      evidence: [...messages].slice(-MOST_EVIDENCE),
    }));
}

function fromDocuments(written: ObservedFacts["written"]): readonly Observation[] {
  const spaces = [...new Set(written.map(({ space }) => space))];
  if (written.length < WRITTEN_OFTEN || spaces.length < WRITTEN_WIDELY) return [];
  return [
    {
      change: { kind: "add", trait: "expertise", item: KEEPS_DOCUMENTS },
      observation: `It wrote documents ${written.length} times, in ${spaces.length} workspaces.`,
      evidence: [...new Set(written.map(({ space, file }) => `${space} ${file}`))].slice(-MOST_EVIDENCE),
    },
  ];
}

function isKnown(soul: Soul | undefined, change: SoulChange): boolean {
  if (change.kind !== "add") return false;
  const gist = fingerprintOf(change.item);
  return itemsOf(soul, change.trait).some((item) => isSameFingerprint(fingerprintOf(item), gist));
}
