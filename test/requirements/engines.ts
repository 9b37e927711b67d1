import type { Requirement } from "./requirement.ts";

/** What executes steps: the model API, the command lines and the scripted engine. */
export const engines: readonly Requirement[] = [
  {
    id: "engine.one-interface",
    source: ["001", "002", "architecture"],
    behaviour: "Every engine passes the same conformance suite: steps, text, tool calls, usage, end, abort.",
    faces: ["engine"],
  },
  {
    id: "engine.mixed-team",
    source: ["001", "product"],
    behaviour: "Agents on different engines work together in one workspace.",
    faces: ["engine"],
  },
  {
    id: "engine.system-prompt",
    source: ["traps"],
    behaviour: "Every engine is given the agent's whole system prompt.",
    faces: ["engine"],
  },
  {
    id: "engine.sdk",
    source: ["000", "001", "002", "004"],
    behaviour: "The sdk engine talks to models through the AI SDK's providers and yields between model calls.",
    faces: ["engine"],
  },
  {
    id: "engine.sdk-isolated",
    source: ["004", "architecture"],
    behaviour: "An sdk run that crashes or runs out of memory costs one attempt of its runs and never the daemon.",
    faces: ["engine"],
  },
  {
    id: "engine.sdk-shared",
    source: ["architecture"],
    behaviour:
      "Many sdk runs share a worker process, as many as its memory holds: none sees anything of another, and each can be ended alone.",
    faces: ["engine"],
  },
  {
    id: "engine.sdk-blame",
    source: ["architecture"],
    behaviour:
      "When a shared worker process ends, its steps are made again, each in a process of its own, and only the run that ends that one too pays.",
    faces: ["engine"],
  },
  {
    id: "engine.stream",
    source: ["002"],
    behaviour: "Text arrives piece by piece while a step goes on.",
    faces: ["engine"],
  },
  {
    id: "engine.claude",
    source: ["001", "003", "004"],
    behaviour: "The Claude Code command line runs an agent with the daemon's MCP tools.",
    faces: ["engine"],
  },
  {
    id: "engine.codex",
    source: ["001", "004"],
    behaviour: "The Codex command line runs an agent with the daemon's MCP tools.",
    faces: ["engine"],
  },
  {
    id: "engine.cursor",
    source: ["001", "004"],
    behaviour: "The Cursor command line runs an agent with the daemon's MCP tools.",
    faces: ["engine"],
  },
  {
    id: "engine.opencode",
    source: ["001", "surface"],
    behaviour: "The OpenCode command line runs an agent with the daemon's MCP tools.",
    faces: ["engine"],
  },
  {
    id: "engine.user-config",
    source: ["004", "product"],
    behaviour: "MCP configuration is passed by flag or from a folder of our own, and no file of the user's is written.",
    faces: ["engine"],
  },
  {
    id: "engine.long-prompt",
    source: ["traps"],
    behaviour: "A prompt of hundreds of kilobytes reaches every command line.",
    faces: ["engine"],
  },
  {
    id: "engine.env-allow-list",
    source: ["product", "traps"],
    behaviour: "A child process gets only the allowed environment and none of the daemon's secrets.",
    faces: ["engine"],
  },
  {
    id: "engine.abort",
    source: ["001", "proof", "traps"],
    behaviour: "Aborting ends the whole process group of any engine, grandchildren included.",
    faces: ["engine"],
  },
  {
    id: "engine.timeouts",
    source: ["002", "proof"],
    behaviour: "Silence at start-up or in the middle ends a step after its timeout.",
    faces: ["engine"],
  },
  {
    id: "engine.error-result",
    source: ["traps"],
    behaviour:
      "An error result counts as a failure also when the exit code is zero, and an exit without result does too.",
    faces: ["engine"],
  },
  {
    id: "engine.stream-damage",
    source: ["proof", "traps"],
    behaviour:
      "Split characters, split lines, unknown events and cut-off output never crash the reader and never count as success.",
    faces: ["engine"],
  },
  {
    id: "engine.missing-binary",
    source: ["traps"],
    behaviour: "A command line that is not installed fails at once with how to install it.",
    faces: ["engine"],
  },
  {
    id: "engine.resume",
    source: ["architecture"],
    behaviour: "A command line that offers session resume continues its session.",
    faces: ["engine"],
  },
  {
    id: "engine.images",
    source: ["surface"],
    behaviour:
      "An image of a message is given to the model of its recipient in every call, and stored once; an engine or a model that shows none is told its name.",
    faces: ["engine", "cli"],
  },
  {
    id: "engine.model-names",
    source: ["002", "surface"],
    behaviour: "A model is translated to the name the engine uses.",
    faces: ["engine"],
  },
  {
    id: "engine.providers",
    source: ["001", "surface"],
    behaviour: "Providers are listed with whether their key is set, the key itself never being shown.",
    faces: ["cli"],
  },
  {
    id: "engine.available",
    source: ["002", "surface"],
    behaviour: "Engines are listed with whether they can be used here and why not.",
    faces: ["cli"],
  },
  {
    id: "engine.rate-limits",
    source: ["proof"],
    behaviour: "Rate limits and overload of a provider slow down its agents without a storm of retries.",
    faces: ["engine"],
  },
  {
    id: "engine.mock-script",
    source: ["002", "architecture"],
    behaviour: "The mock engine plays a script of saying, calling tools, failing, waiting and crashing.",
    faces: ["engine"],
  },
  {
    id: "engine.mock-default",
    source: ["architecture", "traps"],
    behaviour: "Without a script the mock engine answers sensibly and mentions nobody.",
    faces: ["engine"],
  },
  {
    id: "engine.first-content",
    source: ["surface"],
    behaviour: "`timeouts.first_byte` counts until the first content: headers and pings are none.",
    faces: ["file", "engine"],
  },
];
