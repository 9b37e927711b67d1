import type { Requirement } from "./requirement.ts";

/** From a text to recipients: targets, names, mentions and routes. */
export const addressing: readonly Requirement[] = [
  {
    id: "target.dm",
    source: ["000", "003", "004", "surface"],
    behaviour: "A bare name addresses the direct messages of that agent and no workspace.",
    faces: ["domain"],
  },
  {
    id: "target.dm-global",
    source: ["002", "004", "product"],
    behaviour: "`alice@global`, with or without the default tag, is the same target as `alice`.",
    faces: ["domain"],
  },
  {
    id: "target.agent-in-workspace",
    source: ["000", "003", "004", "surface"],
    behaviour: "`alice@review` addresses alice inside the workspace `review:main`.",
    faces: ["domain"],
  },
  {
    id: "target.agent-in-tagged-workspace",
    source: ["000", "004", "surface"],
    behaviour: "`alice@review:pr-1` addresses alice inside the workspace `review:pr-1`.",
    faces: ["domain"],
  },
  {
    id: "target.channel",
    source: ["000", "003", "004", "surface"],
    behaviour: "`@review` addresses the channel of `review:main`.",
    faces: ["domain"],
  },
  {
    id: "target.channel-tagged",
    source: ["000", "004", "surface"],
    behaviour: "`@review:pr-1` addresses the channel of `review:pr-1`.",
    faces: ["domain"],
  },
  {
    id: "target.default-tag",
    source: ["003", "004", "product"],
    behaviour: "A workflow without a tag means the tag `main`, not the older `default`.",
    faces: ["domain"],
  },
  {
    id: "target.split-first",
    source: ["surface"],
    behaviour:
      "The first `@` ends the agent and the first `:` ends the workflow; a second separator makes the target invalid.",
    faces: ["domain"],
  },
  {
    id: "target.display-short",
    source: ["004", "product", "surface"],
    behaviour: "A target is shown without `@global` and without `:main`, and with any other tag.",
    faces: ["domain"],
  },
  {
    id: "target.round-trip",
    source: ["004", "surface"],
    behaviour: "Whatever target is shown, parsing the shown text gives the same target back.",
    faces: ["domain"],
  },
  {
    id: "target.invalid",
    source: ["product", "surface"],
    behaviour:
      "An empty, half-written or badly named target is refused with the part that is wrong and the accepted forms.",
    faces: ["domain"],
  },
  {
    id: "name.agent-pattern",
    source: ["003", "surface"],
    behaviour: "Agent and workflow names start with a letter and go on with letters, digits, `_` and `-` only.",
    faces: ["domain"],
  },
  {
    id: "name.tag-pattern",
    source: ["004", "surface"],
    behaviour: "Tags are made of letters, digits, `.`, `_` and `-` only, and are never `.` or `..`.",
    faces: ["domain"],
  },
  {
    id: "name.length",
    source: ["surface"],
    behaviour: "A name or tag of 64 characters is accepted and one of 65 is refused.",
    faces: ["domain"],
  },
  {
    id: "name.reserved",
    source: ["product", "surface"],
    behaviour: "`user`, `system`, `all` and `global` cannot be taken as the name of an agent, in any spelling.",
    faces: ["domain"],
  },
  {
    id: "name.global-reserved",
    source: ["004", "product"],
    behaviour: "No workflow can be called `global`, because that word always means direct messages.",
    faces: ["domain", "file"],
  },
  {
    id: "mention.participants-only",
    source: ["003", "surface"],
    behaviour: "Only names of participants count as mentions; any other `@word` is plain text.",
    faces: ["domain"],
  },
  {
    id: "mention.order",
    source: ["003", "surface"],
    behaviour: "Mentions come back in the order in which they first appear.",
    faces: ["domain"],
  },
  {
    id: "mention.no-duplicates",
    source: ["003", "surface"],
    behaviour: "A name mentioned several times in a message is mentioned once.",
    faces: ["domain"],
  },
  {
    id: "mention.word-boundary",
    source: ["surface"],
    behaviour: "`@name` counts only at a word boundary on both sides, punctuation after it being no part of the name.",
    faces: ["domain"],
  },
  {
    id: "mention.address",
    source: ["surface"],
    behaviour: "A mail address such as `a@b.c` mentions nobody, even when `b` is a participant.",
    faces: ["domain"],
  },
  {
    id: "mention.code-span",
    source: ["surface", "traps"],
    behaviour: "A name inside an inline code span is not mentioned.",
    faces: ["domain"],
  },
  {
    id: "mention.code-fence",
    source: ["surface", "traps"],
    behaviour: "A name inside a fenced code block is not mentioned, even when the fence is never closed.",
    faces: ["domain"],
  },
  {
    id: "mention.all",
    source: ["004", "product", "surface"],
    behaviour: "`@all` mentions every participant except the sender.",
    faces: ["domain"],
  },
  {
    id: "mention.not-self",
    source: ["product", "traps"],
    behaviour: "A message that mentions its own author creates no delivery for that author.",
    faces: ["domain"],
  },
  {
    id: "mention.write-time",
    source: ["004", "architecture"],
    behaviour: "Mentions are parsed once, when the message is accepted, and are read back as stored data afterwards.",
    faces: ["store"],
  },
  {
    id: "mention.unknown-warning",
    source: ["surface"],
    behaviour:
      "Sending a message with an unknown mention succeeds and answers a warning that lists the names that exist.",
    faces: ["store"],
  },
  {
    id: "mention.fan-out-cap",
    source: ["product", "proof"],
    behaviour: "A message whose mentions exceed the fan-out cap does not deliver to all of them and says so.",
    faces: ["domain"],
  },
  {
    id: "mention.document-none",
    source: ["003", "004"],
    behaviour: "Text written into a document mentions and wakes nobody.",
    faces: ["store"],
  },
  {
    id: "route.dm-immediate",
    source: ["000", "product"],
    behaviour: "A direct message is delivered to its agent in the immediate lane.",
    faces: ["domain"],
  },
  {
    id: "route.mention-immediate",
    source: ["000", "001", "product"],
    behaviour: "A mention in a channel is delivered to the mentioned agent in the immediate lane.",
    faces: ["domain"],
  },
  {
    id: "route.direct-send-normal",
    source: ["000", "product"],
    behaviour:
      "A send to an agent inside a workspace is delivered in the normal lane, although one seed table calls it immediate.",
    faces: ["domain"],
  },
  {
    id: "route.unmentioned-pull",
    source: ["000", "product"],
    behaviour:
      "A channel message without mentions is kept in the channel and creates no delivery that wakes anybody at once.",
    faces: ["domain"],
  },
  {
    id: "route.schedule-background",
    source: ["000", "product"],
    behaviour: "What a schedule says is delivered in the background lane.",
    faces: ["domain"],
  },
  {
    id: "route.most-urgent-once",
    source: ["000", "architecture"],
    behaviour:
      "An agent that is both the direct target and mentioned gets one delivery, in the more urgent of the two lanes.",
    faces: ["domain"],
  },
  {
    id: "route.one-target",
    source: ["000"],
    behaviour:
      "A send has exactly one target; mentions in its text add recipients among the participants and never change the target.",
    faces: ["domain"],
  },
  {
    id: "route.dm-text-only",
    source: ["000", "product"],
    behaviour: "Mentions inside a direct message are text and create no delivery for anyone else.",
    faces: ["domain"],
  },
  {
    id: "route.also-in-channel",
    source: ["000"],
    behaviour: "A message that was pushed to a mentioned agent is also readable in the channel.",
    faces: ["store"],
  },
  {
    id: "route.not-running",
    source: ["000", "surface"],
    behaviour:
      "A send into a workspace that is not open is refused with the workflow's name and the command that starts it.",
    faces: ["store"],
  },
  {
    id: "route.not-participant",
    source: ["000", "surface"],
    behaviour:
      "A send to an agent that is not in the workflow is refused with both names and the file to add the agent to; nobody joins by being addressed.",
    faces: ["store"],
  },
  {
    id: "route.unknown-agent",
    source: ["product", "traps"],
    behaviour:
      "A send to an agent that does not exist is refused with the names that exist and leaves no inbox behind.",
    faces: ["store"],
  },
  {
    id: "route.dm-any-time",
    source: ["000"],
    behaviour: "An agent accepts direct messages however many workspaces it is attached to, none included.",
    faces: ["store"],
  },
  {
    id: "route.no-channel",
    source: ["004", "product"],
    behaviour: "In a workspace with `context: false` a channel message is refused and a direct message is accepted.",
    faces: ["store"],
  },
  {
    id: "route.lane-override",
    source: ["000"],
    behaviour: "A person can send with another lane than the one the target implies.",
    faces: ["store"],
  },
];
