import { seededRandom } from "../../src/kernel/random.ts";
import { SLOT_VALUES, SMALL_TALK, SPEAKERS } from "./conversation-words.ts";

/**
 * Long conversations of two people over months, and questions that somebody asks about them later. Everything follows
 * from the seed. About a third of the turns that hold an answer share no word with the question: the answer follows a
 * question of the other person, or is said in other words. The same kind of thing happens several times, to both people
 * and with other names and places, so that words alone often find the wrong day.
 */
export interface LongConversation {
  /** Sessions in order. Each is on another day. */
  readonly sessions: readonly Session[];
  readonly questions: readonly AskedLater[];
}

export interface Session {
  /** YYYY-MM-DD. */
  readonly day: string;
  readonly turns: readonly Turn[];
}

export interface Turn {
  readonly id: string;
  readonly speaker: string;
  readonly text: string;
}

export const QUESTION_KINDS = ["single", "multi", "temporal", "open"] as const;
export type QuestionKind = (typeof QUESTION_KINDS)[number];

export interface AskedLater {
  readonly kind: QuestionKind;
  readonly question: string;
  /** Ids of the turns that hold the answer. */
  readonly evidence: readonly string[];
}

/**
 * What happens to a person `A`, as told to `B`. A question has one or two wordings, the second one further from what was
 * said, and the positions of the turns that answer it.
 */
export interface Topic {
  readonly turns: readonly string[];
  readonly asked: readonly (readonly [kind: QuestionKind, wordings: readonly string[], evidence: readonly number[]])[];
}

const SESSIONS = 24;
const TOPICS_A_SESSION = 3;
const TALK_BETWEEN = 3;
const MIN_GAP_DAYS = 3;
const GAP_DAYS = 10;
const DAY_MS = 86_400_000;
const START = Date.UTC(2025, 0, 6);
/** A question that this many topics answer is too broad to be asked. */
const MOST_EVIDENCE = 5;
/** How often a question has its second wording. */
const FURTHER_SHARE = 0.25;
/** The share of sessions that somebody asks about by their date. */
const DATED_SHARE = 0.4;

export function longConversation(seed: number, topics: readonly Topic[]): LongConversation {
  const random = seededRandom(seed * 7919);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const first = pick(SPEAKERS);
  const second = pick(SPEAKERS.filter((name) => name !== first));
  const sessions: Session[] = [];
  const found = new Map<string, { kind: QuestionKind; evidence: string[] }>();
  let at = START;
  for (let number = 0; number < SESSIONS; number += 1) {
    at += (MIN_GAP_DAYS + Math.floor(random() * GAP_DAYS)) * DAY_MS;
    const day = new Date(at).toISOString().slice(0, 10);
    const turns: Turn[] = [];
    const say = (speaker: string, text: string): string => {
      const id = `${day}/${turns.length}`;
      turns.push({ id, speaker, text });
      return id;
    };
    const ask = (kind: QuestionKind, question: string, evidence: readonly string[]): void => {
      const asked = found.get(question) ?? { kind, evidence: [] };
      asked.evidence.push(...evidence);
      found.set(question, asked);
    };
    for (let topic = 0; topic < TOPICS_A_SESSION; topic += 1) {
      for (let talk = 0; talk < TALK_BETWEEN; talk += 1) say(talk % 2 === 0 ? first : second, pick(SMALL_TALK));
      const [a, b] = random() < 0.5 ? [first, second] : [second, first];
      const slots: Record<string, string> = { A: a, B: b };
      for (const [slot, values] of Object.entries(SLOT_VALUES)) slots[slot] = pick(values);
      const { turns: lines, asked } = pick(topics);
      const ids = lines.map((line) => say(line.startsWith("A:") ? a : b, fill(line.slice(3), slots)));
      for (const [kind, wordings, evidence] of asked)
        ask(
          kind,
          fill(wordings[random() < FURTHER_SHARE ? wordings.length - 1 : 0] ?? "", slots),
          evidence.flatMap((position) => ids[position] ?? []),
        );
      const told = ids.filter((_, position) => lines[position]?.startsWith("A:"));
      if (topic === 0 && random() < DATED_SHARE) ask("temporal", `What did ${a} tell on ${inWords(at)}?`, told);
    }
    sessions.push({ day, turns });
  }
  const questions = [...found]
    .map(([question, { kind, evidence }]) => ({ kind, question, evidence }))
    .filter(({ evidence }) => evidence.length <= MOST_EVIDENCE);
  return { sessions, questions };
}

function fill(text: string, slots: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\{(\w+)\}/g, (_match, name: string) => slots[name] ?? "");
}

const MONTHS = "January February March April May June July August September October November December".split(" ");

function inWords(at: number): string {
  const date = new Date(at);
  return `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
}
