import { seededRandom } from "../../src/kernel/random.ts";

/**
 * Conversations as a team has them, and questions somebody asks about them weeks later. Everything follows from the
 * seed. Questions are worded otherwise than what was said: another form of the word, another word, or the answer stands
 * in the reply and only the question before it has the words. For every fact there are others of the same kind about
 * somebody else, and small talk in between that shares its words.
 */
export interface ConversationSet {
  /** Days in order, each a list of turns. */
  readonly days: readonly (readonly Turn[])[];
  readonly questions: readonly AskedLater[];
}

export interface Turn {
  readonly id: string;
  readonly sender: string;
  readonly text: string;
}

export interface AskedLater {
  readonly question: string;
  /** Ids of the turns that hold the answer. */
  readonly evidence: readonly string[];
}

type Slots = Readonly<Record<string, string>>;
interface Fact {
  /** Said by one, or asked by one and answered by the other; the turns marked with `!` are the evidence. */
  readonly said: readonly string[];
  readonly asked: string;
}

const PEOPLE = ["Maria", "Tobias", "Yuki", "Amara", "Pierre", "Ingrid", "Rafael", "Leila", "Stefan", "Noor"];
const VALUES: Readonly<Record<string, readonly string[]>> = {
  city: ["Lisbon", "Oslo", "Kyoto", "Montreal", "Nairobi", "Prague", "Lima", "Tallinn"],
  pet: ["greyhound", "parrot", "tortoise", "kitten", "hedgehog", "rabbit"],
  food: ["ramen", "dumplings", "paella", "goulash", "falafel", "risotto"],
  hobby: ["pottery", "fencing", "birdwatching", "archery", "calligraphy", "rowing"],
  service: ["billing", "search", "login", "export", "invoice", "upload"],
  tool: ["Terraform", "Kafka", "Redis", "Grafana", "Postgres", "Bazel"],
  amount: ["12", "45", "90", "150", "300", "720"],
  weekday: ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday"],
  color: ["turquoise", "maroon", "olive", "crimson", "ivory"],
  book: ["Middlemarch", "Solaris", "Dune", "Beloved", "Emma"],
  language: ["Rust", "Elixir", "Kotlin", "Haskell", "Go"],
  allergy: ["peanuts", "shellfish", "pollen", "penicillin", "gluten"],
};

const FACTS: readonly Fact[] = [
  { said: ["!{who} is moving to {city} next spring, the lease is signed."], asked: "Which city will {who} move to?" },
  { said: ["!We rescued a {pet} for {who}'s birthday."], asked: "What animal was rescued for {who}'s birthdays?" },
  { said: ["!{who} cannot eat anything with {allergy}, it is a real allergy."], asked: "What is {who} allergic to?" },
  {
    said: ["!{who} has taken up {hobby} on {weekday} evenings."],
    asked: "Which hobby did {who} take up in the evening?",
  },
  {
    said: ["!The {service} service times out after {amount} seconds."],
    asked: "What is the timeout of the {service} service?",
  },
  {
    said: ["!{who} decided to replace {tool} in the {service} pipeline."],
    asked: "What was {who}'s decision about the {service} pipelines?",
  },
  {
    said: ["!Never deploy {service} on a {weekday}, the batch jobs run then."],
    asked: "On which day are deployments of {service} forbidden?",
  },
  { said: ["!{who} is reading {book} and cannot put it down."], asked: "Which novel does {who} read these days?" },
  {
    said: ["!{who} painted the kitchen {color} over the weekend."],
    asked: "What colour is the paint in {who}'s kitchen?",
  },
  {
    said: ["!{who} is rewriting the {service} backend in {language}."],
    asked: "In which language did {who} rewrite {service}?",
  },
  {
    said: ["What should we order for {who}'s farewell dinner?", "!{food}, that was agreed."],
    asked: "What food was ordered for the farewell dinner of {who}?",
  },
  {
    said: ["Where did {who} grow up, by the way?", "!In {city}, near the harbour."],
    asked: "In which town was {who} growing up?",
  },
  {
    said: ["How many licences does the {service} team need?", "!About {amount}, I counted them."],
    asked: "How many licenses are needed by the {service} team?",
  },
  {
    said: ["Which cache did we choose for {service}?", "!{tool}, because the others were slower."],
    asked: "What did we choose as cache for {service}?",
  },
  {
    said: ["!{who} owns the on-call rota for {service} until further notice."],
    asked: "Who is the owner of the {service} rota for on-call?",
  },
  {
    said: ["!The customer wants {service} reports every {weekday} morning."],
    asked: "When does the customer want reports from {service}?",
  },
  { said: ["!{who} broke a wrist while {hobby}, six weeks of rest."], asked: "How did {who} break the wrist?" },
  { said: ["!I lent {who} my copy of {book} ages ago."], asked: "Who was lent a copy of {book}?" },
  {
    said: ["Did {who} say when the audit starts?", "!On {weekday}, with {amount} samples."],
    asked: "When does the audit of {who} start?",
  },
  {
    said: ["!Rolling back {service} needs the flag from {tool} first."],
    asked: "What is needed to roll {service} back?",
  },
  { said: ["!{who} flies to {city} for the holidays again."], asked: "Where does {who} spend the vacation?" },
  { said: ["!I am getting {who} a {pet} as a present, do not tell."], asked: "What gift is planned for {who}?" },
  { said: ["!{who} turned down the offer from the {city} office."], asked: "Which job did {who} reject?" },
  { said: ["!{who}'s sister teaches {hobby} in {city}."], asked: "What does the sibling of {who} do for a living?" },
  { said: ["!{who} gets up before six to practise {hobby}."], asked: "Why is {who} awake so early?" },
  {
    said: ["!{service} falls over as soon as the queue holds {amount} items."],
    asked: "What is the limit of the {service} queue?",
  },
  { said: ["What is {who} afraid of?", "!Heights, ever since {city}."], asked: "What scares {who}?" },
];

const SMALL_TALK = [
  "Good morning, how was the weekend for everyone?",
  "Fine, thanks. Did you see what was said about the city yesterday?",
  "I should read more and deploy less, honestly.",
  "Which day suits you for a coffee, or is it a bad week?",
  "The kitchen is closed again, somebody broke the machine.",
  "What was the question? I was in another meeting about the service.",
  "Let me know when the reports are there, I want to read them.",
  "Sounds good to me, let us do it that way then.",
  "Who else is coming to dinner? I need to know how many we are.",
  "I did not know that. When did that start?",
  "The team is growing, we need more time for everything.",
  "Can you take a look at the pipeline when you are back?",
  "That is what the customer wants, so that is what they get.",
  "How did it go with the animals at the shelter?",
  "My birthday was quiet this year, which is how I like it.",
];

export function conversationSet(seed: number, days: number): ConversationSet {
  const random = seededRandom(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const made: Turn[][] = [];
  const questions: AskedLater[] = [];
  const used = new Set<string>();
  for (let day = 0; day < days; day += 1) {
    const turns: Turn[] = [];
    const say = (sender: string, text: string): string => {
      const id = `${day}.${turns.length}`;
      turns.push({ id, sender, text });
      return id;
    };
    const [one, other] = ["user", "alice"];
    for (let fact = 0; fact < FACTS_A_DAY; fact += 1) {
      for (let talk = 0; talk < TALK_BETWEEN; talk += 1) say(talk % 2 === 0 ? one : other, pick(SMALL_TALK));
      const { said, asked } = pick(FACTS);
      const slots = slotsFor(pick);
      const question = fill(asked, slots);
      const evidence = said.flatMap((line, index) => {
        const id = say(index % 2 === 0 ? one : other, fill(line.replace(/^!/, ""), slots));
        return line.startsWith("!") ? [id] : [];
      });
      // A question two facts could answer is not asked.
      if (used.has(question)) questions.splice(questions.findIndex((each) => each.question === question) >>> 0, 1);
      else questions.push({ question, evidence });
      used.add(question);
    }
    made.push(turns);
  }
  return { days: made, questions };
}

const FACTS_A_DAY = 12;
const TALK_BETWEEN = 3;

function slotsFor(pick: <T>(list: readonly T[]) => T): Slots {
  return {
    who: pick(PEOPLE),
    ...Object.fromEntries(Object.entries(VALUES).map(([name, values]) => [name, pick(values)])),
  };
}

function fill(text: string, slots: Slots): string {
  return text.replaceAll(/\{(\w+)\}/g, (_match, name: string) => slots[name] ?? "");
}
