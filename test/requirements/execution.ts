import type { Requirement } from "./requirement.ts";

/** What happens when an agent works: its loop, runs, prompt, tools, skills, approvals and budgets. */
export const execution: readonly Requirement[] = [
  {
    id: "loop.one-per-agent",
    source: ["000", "architecture"],
    behaviour:
      "An agent has one loop for all its workspaces and direct messages and never runs twice at the same time.",
    faces: ["store"],
  },
  {
    id: "loop.lazy",
    source: ["000"],
    behaviour: "A loop comes into being with the first delivery.",
    faces: ["store"],
  },
  {
    id: "loop.states",
    source: ["001", "002", "004", "architecture"],
    behaviour:
      "A loop is stopped, idle, running, stopping or failed, and moves only along its written table; giving way is the state of a run, which is parked.",
    faces: ["domain"],
  },
  {
    id: "loop.wake",
    source: ["001", "004"],
    behaviour: "A committed message wakes its recipients' loops at once, without waiting for a poll.",
    faces: ["store"],
  },
  {
    id: "loop.wake-while-busy",
    source: ["traps"],
    behaviour: "A wake that comes while the loop is busy is not forgotten.",
    faces: ["store"],
  },
  {
    id: "loop.wake-lost",
    source: ["architecture"],
    behaviour: "A lost wake costs only time: the slow poll finds the delivery.",
    faces: ["store"],
  },
  {
    id: "loop.later-mention",
    source: ["000"],
    behaviour: "An agent woken for something else sees the unmentioned messages of the channel since its last run.",
    faces: ["store"],
  },
  {
    id: "loop.yield",
    source: ["000", "architecture"],
    behaviour: "A more urgent delivery makes the run yield after the current step, never within one.",
    faces: ["store"],
  },
  {
    id: "loop.resume",
    source: ["000"],
    behaviour: "A run that yielded goes on at its next step with its transcript and repeats no model call.",
    faces: ["store"],
  },
  {
    id: "loop.no-starvation",
    source: ["000", "architecture"],
    behaviour: "Background work is done within the aging bound under an endless stream of direct messages.",
    faces: ["store"],
  },
  {
    id: "loop.restart-failed",
    source: ["architecture"],
    behaviour: "A loop that failed is restarted with growing delays and says so.",
    faces: ["store"],
  },
  {
    id: "run.intent-first",
    source: ["architecture"],
    behaviour: "A run is recorded as started before its engine is called.",
    faces: ["store"],
  },
  {
    id: "run.checkpoint",
    source: ["architecture", "product"],
    behaviour: "The transcript is kept after every step, and a restart goes on after the last finished one.",
    faces: ["store"],
  },
  {
    id: "run.kill-exactly-one",
    source: ["product", "proof"],
    behaviour: "After kill -9 at any fail point every message with a receipt is answered once in the channel.",
    faces: ["store"],
  },
  {
    id: "run.death-charged-alone",
    source: ["proof"],
    behaviour: "A run that takes the daemon down again and again is given up; runs open at the same time are not.",
    faces: ["store"],
  },
  {
    id: "run.tools-not-repeated",
    source: ["proof"],
    behaviour: "The tool calls of a finished step are not made again after a crash.",
    faces: ["store"],
  },
  {
    id: "run.recovery-scan",
    source: ["architecture"],
    behaviour: "A start finds pending deliveries and open runs by lookup and picks them up.",
    faces: ["store"],
  },
  {
    id: "run.final-text",
    source: ["001", "002", "product"],
    behaviour:
      "The last text of a run is posted to the channel, or to the sender of a direct message, and its mentions wake others.",
    faces: ["store"],
  },
  {
    id: "run.final-text-spoken",
    source: ["product"],
    behaviour:
      "When the agent already spoke through the channel tool in that run, its last text stays on the run and is not posted.",
    faces: ["store"],
  },
  {
    id: "run.silent",
    source: ["product", "surface"],
    behaviour: "An empty text or `no_action` ends the run in silence: acked, nothing posted, nobody woken.",
    faces: ["store", "mcp"],
  },
  {
    id: "run.siblings",
    source: ["architecture"],
    behaviour: "Deliveries that were leased together are answered by one run and settled together.",
    faces: ["store"],
  },
  {
    id: "run.max-steps",
    source: ["000"],
    behaviour: "A run stops at the agent's `max_steps` and says so.",
    faces: ["store"],
  },
  {
    id: "run.timeout",
    source: ["surface"],
    behaviour: "A run is aborted at the agent's timeout and counts as a failed attempt.",
    faces: ["store"],
  },
  {
    id: "run.read-joins",
    source: ["003", "surface"],
    behaviour:
      "Mentions an agent sees through `channel_read` join its run: acked when it succeeds, delivered again when it fails.",
    faces: ["mcp"],
  },
  {
    id: "run.clock",
    source: ["proof"],
    behaviour: "Leases and timeouts follow the monotonic clock, and a clock that jumps ends no run.",
    faces: ["store"],
  },
  {
    id: "run.direct-reply",
    source: ["001", "002"],
    behaviour:
      "A synchronous request waits for the reply to its own message and goes through the same loop as everything else.",
    faces: ["http"],
  },
  {
    id: "run.simulation",
    source: ["proof"],
    behaviour:
      "Under random interleavings of sends, steps, crashes and restarts no message is lost, settled twice or run by two loops, and the seed replays the history.",
    faces: ["store"],
  },
  {
    id: "prompt.order",
    source: ["000", "001"],
    behaviour:
      "The stable prefix holds system prompt, soul, workflow addition and team, in this order; memory, todos, documents and messages come after it, and what is asked comes last.",
    faces: ["engine"],
  },
  {
    id: "prompt.append",
    source: ["000"],
    behaviour: "A workflow's `prompt.append` is in the prompt of that workflow's runs and of no others.",
    faces: ["engine"],
  },
  {
    id: "prompt.soul",
    source: ["000", "001"],
    behaviour: "The soul with all its traits is in the prompt of every run, in workflows and direct messages alike.",
    faces: ["engine"],
  },
  {
    id: "prompt.memory",
    source: ["000", "001"],
    behaviour: "Relevant memory of the agent is in its prompt within the memory budget.",
    faces: ["engine"],
  },
  {
    id: "prompt.todos",
    source: ["000", "001"],
    behaviour: "Open todos are in the prompt and finished ones are not.",
    faces: ["engine"],
  },
  {
    id: "prompt.workspace",
    source: ["000", "001", "004"],
    behaviour: "A run in a workspace is given inbox, recent channel and documents of that workspace and of no other.",
    faces: ["engine"],
  },
  {
    id: "prompt.dm-personal",
    source: ["000"],
    behaviour: "A run for a direct message is given personal context and conversation and nothing of any workspace.",
    faces: ["engine"],
  },
  {
    id: "prompt.stable-prefix",
    source: ["traps"],
    behaviour: "What does not change between runs comes first, byte for byte the same.",
    faces: ["engine"],
  },
  {
    id: "prompt.sender",
    source: ["proof"],
    behaviour:
      "Who said something is taken from the store, and text that imitates a system line or another sender is shown as text.",
    faces: ["engine"],
  },
  {
    id: "prompt.budget",
    source: ["architecture"],
    behaviour: "A prompt keeps within its token budget and records what went in and what was left out.",
    faces: ["engine"],
  },
  {
    id: "prompt.once",
    source: ["traps"],
    behaviour: "No part of the prompt is in it twice.",
    faces: ["engine"],
  },
  {
    id: "tool.authorised",
    source: ["002", "architecture"],
    behaviour: "An agent sees exactly the tools of the proposals it may make, and calling another one is refused.",
    faces: ["mcp"],
  },
  {
    id: "tool.shell-virtual",
    source: ["002", "product"],
    behaviour:
      "The shell and file tools of the sdk engine work on a virtual file system unless the agent is given the host.",
    faces: ["engine"],
  },
  {
    id: "tool.mcp-servers",
    source: ["004", "surface"],
    behaviour:
      "The MCP servers an agent's file names are available to it on every engine, and none can shadow a tool of the daemon.",
    faces: ["engine"],
  },
  {
    id: "tool.selection",
    source: ["003", "surface"],
    behaviour:
      "`tools` limits an agent to the tools it names, besides those that a run needs and those of its MCP servers, and a name that chooses nothing is an error.",
    faces: ["engine"],
  },
  {
    id: "tool.list",
    source: ["002", "surface"],
    behaviour: "The tools an agent would get can be listed.",
    faces: ["cli"],
  },
  {
    id: "skill.add",
    source: ["001", "002", "surface"],
    behaviour: "Skills are imported from a Git address or a folder, and an import runs nothing of what it brings.",
    faces: ["cli"],
  },
  {
    id: "skill.use",
    source: ["002"],
    behaviour: "An agent can list its skills and read one when it needs it.",
    faces: ["engine"],
  },
  {
    id: "skill.list",
    source: ["surface"],
    behaviour: "Imported skills are listed with name, description and source.",
    faces: ["cli"],
  },
  {
    id: "approval.asked",
    source: ["002", "product"],
    behaviour: "A tool call that needs approval waits, is listed, and is not silently denied.",
    faces: ["store"],
  },
  {
    id: "approval.approve",
    source: ["002", "surface"],
    behaviour: "An approved call is executed and the run goes on from there.",
    faces: ["cli", "http"],
  },
  {
    id: "approval.deny",
    source: ["002", "surface"],
    behaviour: "A denied call is reported to the agent with the reason and is not executed.",
    faces: ["cli", "http"],
  },
  {
    id: "approval.survives",
    source: ["product"],
    behaviour: "A waiting approval survives a restart.",
    faces: ["store"],
  },
  {
    id: "budget.agent",
    source: ["product", "surface"],
    behaviour: "An agent's budget of tokens, cost or time is checked before the call that would exceed it.",
    faces: ["store"],
  },
  {
    id: "budget.workflow",
    source: ["surface"],
    behaviour: "A workflow's budget stops all its agents, says so in the channel and waits for a person.",
    faces: ["store"],
  },
  {
    id: "budget.raise",
    source: ["surface"],
    behaviour:
      "Where a limit stopped the work, the page offers to raise it in the file that sets it, shown as a diff first, and to go on.",
    faces: ["ui"],
  },
  {
    id: "budget.unknown-cost",
    source: ["traps"],
    behaviour: "A cost that is not known is shown as unknown and never as zero.",
    faces: ["store"],
  },
  {
    id: "budget.all-tokens",
    source: ["traps"],
    behaviour: "Cached and reasoning tokens are counted.",
    faces: ["store"],
  },
];
