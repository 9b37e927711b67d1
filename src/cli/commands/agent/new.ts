import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { UsageError } from "../../arguments/usage-error.ts";
import { defineCommand } from "../../command.ts";
import { formatSpace } from "../../output/format-space.ts";
import type { Terminal } from "../../output/terminal.ts";
import { ENGINE_OPTIONS, engineName } from "./engine-options.ts";

export const newAgent = defineCommand({
  about: [
    "Makes an agent for now: no file and no memory of its own, gone with its conversation when the daemon stops. Unnamed it is agent-1, agent-2, ...",
    "Keep one that proves useful, with its conversation: agent-worker agent create NAME --from agent-1",
  ].join("\n"),
  words: ["[NAME]"],
  options: {
    ...ENGINE_OPTIONS,
    system: { short: "s", value: "TEXT", about: "The system prompt" },
    "system-file": { short: "f", value: "FILE", about: "A file that holds the system prompt; - is standard input" },
    wakeup: { value: "WHEN", about: 'When it wakes by itself: 5m, or "0 9 * * 1-5"' },
    "wakeup-prompt": { value: "TEXT", about: "What it is told when it wakes" },
    context: { about: "Give it a workspace of its own: a channel and documents, gone with it" },
    tag: { value: "TAG", about: "With --context: the tag of the workspace (main)" },
    instance: { value: "TAG", about: "The same as --tag" },
  },
  examples: [
    'agent-worker new -m anthropic/claude-sonnet-4-5 -s "Answer in one sentence."',
    "agent-worker new tester -b mock",
    "agent-worker new helper -b mock --context",
  ],

  async run(invocation) {
    const { words, options, terminal } = invocation;
    const file = options["system-file"];
    if (file !== undefined && options.system !== undefined) {
      throw new UsageError("The system prompt is given twice: with --system and with --system-file.");
    }
    if (options.tag !== undefined && options.instance !== undefined) {
      throw new UsageError("--tag and --instance mean the same; give one.");
    }
    const system = file === undefined ? options.system : await readTextFile(terminal, file);
    const tag = options.tag ?? options.instance;
    if (tag !== undefined && !options.context) {
      throw new UsageError("Only a workspace has a tag.", "Ask for one, too: --context");
    }
    const created = await invocation.call("create-ephemeral-agent", {
      name: words[0],
      model: options.model,
      backend: engineName(options.backend),
      system,
      wakeup: options.wakeup,
      wakeupPrompt: options["wakeup-prompt"],
      context: options.context,
    });
    const { name } = created;
    if (!options.context) {
      return invocation.print(created, `Made ${name}. Talk to it with: agent-worker send ${name} MESSAGE --wait\n`);
    }
    const { space } = await invocation.call("open-workspace", { workflow: name, tag });
    const place = formatSpace(space);
    const made = `Made ${name}, with a channel and documents in ${place}.`;
    return invocation.print(
      { ...created, space },
      `${made} Talk to it with: agent-worker send ${name}${place} MESSAGE --wait\n`,
    );
  },
});

/** Returns the text of a file; `-` means standard input. */
async function readTextFile(terminal: Terminal, file: string): Promise<string> {
  if (file === "-") return terminal.stdin();
  try {
    return (await readFile(resolve(terminal.cwd, file), "utf8")).replace(/^\uFEFF/, "");
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
    throw new UsageError(
      code === "ENOENT" ? `There is no file ${file}.` : `The file ${file} cannot be read (${code}).`,
    );
  }
}
