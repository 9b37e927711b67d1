import { textArgument } from "../../arguments/text-argument.ts";
import { UsageError } from "../../arguments/usage-error.ts";
import { defineCommand } from "../../command.ts";
import { noteMissingKey } from "../../output/models/note-missing-key.ts";
import { ENGINE_OPTIONS, engineName } from "./engine-options.ts";

export const createAgent = defineCommand({
  about:
    "Writes .agents/NAME.yaml and makes the folder for what the agent will remember. Without a prompt it is told who it is.",
  words: ["NAME"],
  options: {
    ...ENGINE_OPTIONS,
    provider: { value: "NAME", about: "Who serves the model" },
    system: { short: "s", value: "TEXT", about: "The system prompt; - is standard input" },
    "system-file": { short: "f", value: "FILE", about: "A file of the project that holds the system prompt" },
    role: { value: "TEXT", about: "Soul: what it is" },
    expertise: { value: "A,B", about: "Soul: what it knows well" },
    style: { value: "TEXT", about: "Soul: how it speaks" },
    principle: { value: "TEXT", many: true, about: "Soul: what it holds to; may be repeated" },
    wakeup: { value: "WHEN", about: 'When it wakes by itself: 5m, or "0 9 * * 1-5"' },
    "wakeup-prompt": { value: "TEXT", about: "What it is told when it wakes" },
    from: { value: "AGENT", about: "Keep this agent, made with new, under the name" },
  },
  examples: [
    'agent-worker agent create alice --model anthropic/claude-sonnet-4-5 --system "You review code." --role reviewer --expertise typescript,security',
    "agent-worker agent create alice --from agent-1",
  ],

  async run(invocation) {
    const { words, options, terminal } = invocation;
    const { from, model, provider, role, style, wakeup } = options;
    const name = words[0] ?? "";
    const settings = {
      model,
      backend: engineName(options.backend),
      provider,
      system: await textArgument(options.system, terminal),
      systemFile: options["system-file"],
      role,
      expertise: options.expertise === undefined ? undefined : splitList(options.expertise),
      style,
      principles: options.principle.length === 0 ? undefined : [...options.principle],
      wakeup,
      wakeupPrompt: options["wakeup-prompt"],
    };
    if (from !== undefined && Object.values(settings).some((value) => value !== undefined)) {
      throw new UsageError(
        "--from keeps an agent as it is; the other options cannot change it.",
        "Edit it afterwards.",
      );
    }
    const created =
      from === undefined
        ? await invocation.call("create-agent", { name, ...settings })
        : await invocation.call("promote-agent", { from, name });
    if (model !== undefined && !invocation.json) {
      await noteMissingKey(terminal, invocation.projectDir(), { name, model, backend: settings.backend });
    }
    return invocation.print(
      created,
      `Created ${name} in ${created.file ?? "memory"}. Talk to it with: agent-worker send ${name} MESSAGE --wait\n`,
    );
  },
});

function splitList(text: string): string[] {
  return text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
}
