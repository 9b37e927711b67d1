import type { Topic } from "./long-conversations.ts";

/** What the conversations of the held-out half are about. The ranking is never adjusted to them. */
export const HELD_OUT_TOPICS: readonly Topic[] = [
  {
    turns: [
      "A: I ran the {city} half marathon yesterday, would you believe it.",
      "B: You? On purpose? How long did it take?",
      "A: A bit over two hours. My toenails will never forgive me.",
      "B: Who cheered for you?",
      "A: {friend} stood at the bridge with a cowbell.",
    ],
    asked: [
      ["temporal", ["When did {A} take part in the {city} marathon?", "When did {A} take part in a race?"], [0]],
      ["single", ["How many hours did {A} need in {city}?", "How fast did {A} finish?"], [2]],
      ["open", ["Who stood at the bridge in {city} for {A}?", "Who supported {A} along the route in {city}?"], [4]],
      ["multi", ["Which marathons has {A} run?", "Which races has {A} completed?"], [0]],
    ],
  },
  {
    turns: [
      "A: My paintings hang in the {venue} until {month}!",
      "B: Congratulations! Which ones did you choose?",
      "A: The harbour series, the ones with too much grey.",
      "B: Has anyone bought something?",
      "A: A dentist took the biggest for {amount}. I hugged him.",
    ],
    asked: [
      ["single", ["Where do the paintings of {A} hang?", "Where is the art of {A} exhibited?"], [0]],
      ["single", ["Which series of pictures does {A} show at the {venue}?", "What does {A} show at the {venue}?"], [2]],
      [
        "open",
        ["Who bought the biggest picture of {A} at the {venue}?", "Who purchased a work from the {venue} show of {A}?"],
        [4],
      ],
      ["multi", ["In which places were paintings of {A} hanging?", "In which locations has {A} exhibited?"], [0]],
    ],
  },
  {
    turns: [
      "A: {friend} and I are opening a {shop} on the corner of Mill Street.",
      "B: Wow, a real shop! Who pays for all that?",
      "A: My savings, and a loan that keeps me awake.",
      "B: When is the opening?",
      "A: First week of {month}, if the electrician ever shows up.",
    ],
    asked: [
      ["single", ["What kind of business does {A} open with {friend}?", "What kind of business does {A} plan?"], [0]],
      ["open", ["Which savings and loans paid for the {shop} of {A}?", "How is the {shop} of {A} financed?"], [2]],
      ["temporal", ["In which week does the {shop} of {A} open?", "When does the {shop} start?"], [4]],
    ],
  },
  {
    turns: [
      "B: How was the camping trip near {city}?",
      "A: Wet. The tent leaked on the first night and a fox stole the {sweet}.",
      "B: Did the kids hate it?",
      "A: They want to go again next week. They counted nineteen shooting stars.",
    ],
    asked: [
      [
        "single",
        ["What happened to the tent of {A} near {city}?", "What went wrong when {A} was camping near {city}?"],
        [1],
      ],
      ["open", ["How many stars did the children of {A} count?", "What did the family of {A} see in the sky?"], [3]],
    ],
  },
  {
    turns: [
      "A: My mother is in hospital since {weekday}, it is her {bodypart}.",
      "B: I am so sorry. Can you visit her?",
      "A: Every evening after seven. I read the newspaper to her.",
      "B: Does your brother come as well?",
      "A: {friend} flew in from {city}, first time in years that we share a room.",
    ],
    asked: [
      ["single", ["Why is the mother of {A} in a clinic?", "Why is a parent of {A} ill?"], [0]],
      [
        "open",
        ["What does {A} read in the evenings at the hospital?", "What does {A} do for her in the hospital?"],
        [2],
      ],
      [
        "single",
        ["From where did {friend}, the sibling of {A}, fly in?", "Where does {friend}, the sibling of {A}, live?"],
        [4],
      ],
    ],
  },
  {
    turns: [
      "A: They promoted me! I lead the {team} group from {month} on.",
      "B: About time. Is there more money in it?",
      "A: Eleven percent, and an office with a window onto the car park.",
      "B: What about the old boss?",
      "A: Went to a rival, and took the coffee machine.",
    ],
    asked: [
      ["single", ["Which group will {A} lead?", "Whom will {A} manage?"], [0]],
      [
        "single",
        [
          "By how many percent does the salary of {A} grow in the {team} job?",
          "How much does the salary of {A} grow in the {team} job?",
        ],
        [2],
      ],
      [
        "open",
        [
          "Which rival did the former boss of the {team} people join?",
          "What happened to the former manager of the {team} people?",
        ],
        [4],
      ],
    ],
  },
  {
    turns: [
      "A: I gave up {vice} three weeks ago.",
      "B: Seriously? How do you feel?",
      "A: Grumpy until noon, then oddly proud.",
      "B: What helps?",
      "A: Chewing liquorice, and {friend} texting me rude jokes.",
    ],
    asked: [
      ["single", ["What did {A} give up?", "Which habit did {A} quit?"], [0]],
      ["open", ["What does {A} chew instead of {vice}?", "How does {A} stay away from {vice}?"], [4]],
      ["temporal", ["When did {A} stop with {vice}?"], [0]],
      ["multi", ["Which habits were given up by {A}?", "What addictions has {A} had?"], [0]],
    ],
  },
  {
    turns: [
      "A: We watched {film} in the open air cinema.",
      "B: Is it as sad as people say?",
      "A: {friend} sobbed, I fell asleep during the chase.",
      "B: Typical.",
    ],
    asked: [
      ["single", ["Was {A} asleep during {film}?", "What was the reaction of {A} to {film}?"], [2]],
      ["multi", ["Which films has {A} watched?", "Which movies has {A} seen?"], [0]],
      ["temporal", ["When did {A} see {film}?"], [0]],
    ],
  },
  {
    turns: [
      "A: The choir sings in {city} this {weekday}, my first solo.",
      "B: Which piece?",
      "A: Something by Fauré. I practise in the shower, the tiles are kind.",
      "B: Will there be a recording?",
      "A: {friend} films everything, so yes, sadly.",
    ],
    asked: [
      ["single", ["Which composer does {A} practise for {city}?", "Which composer does {A} like?"], [2]],
      ["open", ["Who films the {city} concert of {A}?", "Who makes a video of the {city} concert of {A}?"], [4]],
      ["multi", ["Where has the choir of {A} sung?", "Where has {A} performed?"], [0]],
    ],
  },
  {
    turns: [
      "B: Did you fix the {device}?",
      "A: I opened it and found a dead mouse on the fan.",
      "B: Horrible. And now?",
      "A: New fan, eighteen euros, hums like a bee. I am a genius.",
    ],
    asked: [
      ["single", ["What was on the fan of the {device} of {A}?", "What was wrong with the {device} of {A}?"], [1]],
      [
        "open",
        ["How many euros did the new part of the {device} cost {A}?", "How was the {device} of {A} repaired?"],
        [3],
      ],
    ],
  },
  {
    turns: [
      "A: I am learning {language} for the trip with {friend}.",
      "B: With an app?",
      "A: With a baker round the corner. We swap: she corrects me, I do her taxes.",
      "B: Say something!",
      "A: I can order soup and apologise.",
    ],
    asked: [
      ["single", ["Who corrects the {language} of {A}?", "Who teaches {language} to {A}?"], [2]],
      ["open", ["What can {A} order in {language}?", "How well does {A} speak {language}?"], [4]],
      ["multi", ["Which languages is {A} learning?", "Which tongues does {A} study?"], [0]],
    ],
  },
  {
    turns: [
      "A: Our {team} office was flooded, everything below the knee is gone.",
      "B: The archive too?",
      "A: Forty years of paper. {friend} dries pages with a hairdryer.",
      "B: Are you insured?",
      "A: Against fire, theft and hail.",
    ],
    asked: [
      ["single", ["What disaster struck the {team} office of {A}?"], [0]],
      [
        "single",
        ["How does {friend} save the pages at the {team} office?", "How does {friend} save the documents?"],
        [2],
      ],
      ["open", ["Will the insurance pay for the damage at the {team} office?"], [4]],
    ],
  },
];
