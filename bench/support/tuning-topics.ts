import type { Topic } from "./long-conversations.ts";

/** What the conversations of the tuning half are about. No topic of the other half is among them. */
export const TUNING_TOPICS: readonly Topic[] = [
  {
    turns: [
      "A: Guess who finally enrolled in a {craft} course? First evening was {weekday}.",
      "B: Look at you! What pushed you to do it?",
      "A: My cousin {friend} would not stop raving, and I wanted my hands busy after the office.",
      "B: Are the others nice?",
      "A: Mostly retired nurses. They brought {sweet} and gossip.",
    ],
    asked: [
      ["single", ["Which course in {craft} does {A} attend?", "Which new hobby is {A} learning?"], [0]],
      ["open", ["Which cousin told {A} about {craft}?", "Who inspired {A} to try {craft}?"], [2]],
      ["temporal", ["When did {A} sign up for {craft} lessons?"], [0]],
      ["multi", ["Which courses has {A} enrolled in?", "What classes has {A} taken?"], [0]],
    ],
  },
  {
    turns: [
      "A: We are back from {city}! Four days, no laptop, bliss.",
      "B: Jealous. What was the best bit?",
      "A: The {sight}, hands down. We stayed until they threw us out.",
      "B: Did the little ones behave?",
      "A: They complained about the heat, then discovered {sweet} and forgot everything.",
    ],
    asked: [
      ["single", ["Where did {A} stay longest in {city}?", "What did {A} enjoy most on the trip?"], [2]],
      ["temporal", ["When did {A} return from the {city} holiday?"], [0]],
      ["multi", ["Where did {A} spend days without a laptop?", "Which places has {A} travelled to?"], [0]],
      ["open", ["What did the children of {A} complain about in {city}?", "Does {A} have children?"], [4]],
    ],
  },
  {
    turns: [
      "A: Bad news about the {vehicle}: the gearbox gave up on the ring road.",
      "B: Oh no, were you stranded?",
      "A: Two hours in the rain until {friend} towed me home.",
      "B: What will the repair cost?",
      "A: They quoted {amount} euros, so I might just sell it for parts.",
    ],
    asked: [
      ["single", ["Which part of {A}'s {vehicle} was broken?", "Which mechanical trouble did {A} have?"], [0]],
      ["single", ["Who towed the {vehicle} of {A}?", "Who rescued {A} after the breakdown?"], [2]],
      [
        "single",
        ["How many euros would it take to fix the {vehicle} of {A}?", "How expensive is fixing the {vehicle}?"],
        [4],
      ],
    ],
  },
  {
    turns: [
      "A: We adopted! A {pet} with one ear, called {petname}.",
      "B: Stop it, how adorable. From the shelter?",
      "A: Yes, it had been waiting there since winter.",
      "B: How is it settling in?",
      "A: {petname} hides behind the boiler and comes out for sardines.",
    ],
    asked: [
      ["single", ["What kind of animal is {petname}?"], [0]],
      ["single", ["What food makes {petname} happy?", "What does the animal of {A} like to eat?"], [4]],
      ["multi", ["Which animals has {A} adopted?", "What pets does {A} have?"], [0]],
      ["temporal", ["When did {A} get {petname}?"], [0]],
    ],
  },
  {
    turns: [
      "A: I had my interview at the {workplace} this morning.",
      "B: And? Did they like you?",
      "A: They asked about the gap in my CV and I just told the truth about {illness}.",
      "B: Brave. When do you hear?",
      "A: By {weekday}, the director said.",
    ],
    asked: [
      ["single", ["Where was {A} interviewed for a job?", "Where did {A} apply for a job?"], [0]],
      ["open", ["How does {A} explain the gap in the CV?", "What health problem did {A} go through?"], [2]],
      [
        "single",
        ["When does the director of the {workplace} answer {A}?", "When will {A} hear about the application?"],
        [4],
      ],
    ],
  },
  {
    turns: [
      "A: I cooked {dish} for twelve people, never again.",
      "B: What was the occasion?",
      "A: {friend} turned forty and has no oven.",
      "B: Did anybody complain?",
      "A: Only about the salt. I blame the recipe from my grandmother.",
    ],
    asked: [
      [
        "single",
        [
          "What meal did {A} prepare when {friend} turned forty?",
          "What meal did {A} prepare for the birthday of {friend}?",
        ],
        [0, 2],
      ],
      ["open", ["Whose recipe did {A} follow for the {dish}?"], [4]],
      ["multi", ["What has {A} cooked for many people?", "What dishes has {A} made?"], [0]],
    ],
  },
  {
    turns: [
      "A: Started reading {book} last night and finished it at four.",
      "B: That good?",
      "A: The ending wrecked me. I sat in the bath and cried.",
      "B: Lend it to me?",
      "A: It is on your porch already.",
    ],
    asked: [
      ["single", ["How did {A} feel about the ending of {book}?", "How did {A} react to {book}?"], [2]],
      ["multi", ["Which books did {A} read at night?", "Which novels does {A} know?"], [0]],
      ["temporal", ["When did {A} read {book}?"], [0]],
    ],
  },
  {
    turns: [
      "A: The {charity} asked me to volunteer on weekends.",
      "B: You always say yes to everything.",
      "A: This one I believe in. I sort donations and drive the van.",
      "B: Does {friend} help too?",
      "A: No, too busy with the twins.",
    ],
    asked: [
      ["single", ["What does {A} sort and drive at the {charity}?", "How does {A} help at the {charity}?"], [2]],
      ["multi", ["Where does {A} volunteer?", "Which good causes does {A} support?"], [0]],
      ["open", ["What keeps {friend} too busy for the {charity}?", "Why is {friend} missing at the {charity}?"], [4]],
    ],
  },
  {
    turns: [
      "B: How is the garden coming along?",
      "A: Slugs ate the {plant}. Every single leaf.",
      "B: Did you try coffee grounds?",
      "A: Tried beer traps, copper tape, prayer. Now I go out with a torch at midnight.",
    ],
    asked: [
      ["single", ["What destroyed the {plant} that {A} was growing?"], [1]],
      ["open", ["Which traps did {A} try against slugs?", "How does {A} fight pests?"], [3]],
    ],
  },
  {
    turns: [
      "A: Doctor says no running until {month}. It is the {bodypart} again.",
      "B: You must be climbing the walls.",
      "A: I swim instead, lanes at six in the morning with the pensioners.",
      "B: And physiotherapy?",
      "A: Twice a week, with somebody called {friend} who shows no mercy.",
    ],
    asked: [
      ["single", ["What keeps {A} from running?", "Which injury does {A} have?"], [0]],
      ["open", ["When does {A} go swimming because of the {bodypart}?", "How does {A} stay fit?"], [2]],
      ["single", ["Who shows {A} exercises for the {bodypart}?", "Who treats the {bodypart} of {A}?"], [4]],
    ],
  },
  {
    turns: [
      "A: I am thinking of moving out by {month}.",
      "B: Because of the neighbours?",
      "A: The drummer upstairs, the mould, the rent. Pick one.",
      "B: Where would you go?",
      "A: Somewhere near {city}, {friend} knows a landlord.",
    ],
    asked: [
      ["single", ["Which troubles with rent and mould does {A} have?", "Why does {A} want to leave the flat?"], [2]],
      ["single", ["Near which city would {A} like to live?", "Where would {A} like to live next?"], [4]],
      ["temporal", ["When is {A} thinking of moving house?", "When does {A} plan to change the flat?"], [0]],
    ],
  },
  {
    turns: [
      "B: Did you play at the wedding of {friend} in the end?",
      "A: I did, on a borrowed {instrument}. My fingers shook for two songs.",
      "B: Nobody noticed, I bet.",
      "A: The bride danced, that is all I remember.",
    ],
    asked: [
      ["single", ["Which instrument did {A} perform on when {friend} got married?"], [1]],
      ["open", ["Did the fingers of {A} shake on the {instrument}?", "Was {A} nervous about performing?"], [1]],
      ["multi", ["Which instruments has {A} borrowed?", "What instruments does {A} play?"], [1]],
    ],
  },
];
