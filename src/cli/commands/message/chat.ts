import { connectToDaemon } from "../../../client/connect.ts";
import { UsageError } from "../../arguments/usage-error.ts";
import { runScreenChat, type ChatStart } from "../../chat/screen-chat.ts";
import { defineCommand } from "../../command.ts";
import { withConsent } from "../../consent/with-consent.ts";
import type { Invocation } from "../../invocation.ts";

export const chat = defineCommand({
  about: [
    "Talks with agents and workspaces on the whole terminal: words as they come, who works on what, and what waits for you,",
    "decided in place with y, n or a. Without a name it opens everything there is, a pane each; Tab goes from one to the next.",
    "In a project, the command without a word does the same. /help shows the keys. Leaving it stops nothing.",
    "The guide: agent-worker help topics chat",
  ].join("\n"),
  words: ["[AGENT|@WORKSPACE...]"],
  options: { plain: { about: "Plain lines, one after the other: for screen readers, and where there is no terminal" } },
  examples: ["agent-worker chat", "agent-worker chat alice @review", "agent-worker chat alice --plain"],

  async run(invocation) {
    const { words, options, terminal, json } = invocation;
    if (json) throw new UsageError("The chat prints no JSON.", "Use: agent-worker peek TARGET --follow --json");
    const start = chatStart(invocation, words);
    if (options.plain || terminal.env["TERM"] === "dumb") {
      const { runPlainChat } = await import("../../chat/plain-chat.ts");
      return runPlainChat(terminal, start);
    }
    if (terminal.columns === undefined || !terminal.interactive) {
      throw new UsageError("The chat needs a terminal.", "Use --plain, or: agent-worker peek TARGET --follow");
    }
    return runScreenChat(start);
  },
});

function chatStart(invocation: Invocation, named: readonly string[]): ChatStart {
  const { terminal, trust } = invocation;
  const projectDir = invocation.projectDir();
  return {
    projectDir,
    cwd: terminal.cwd,
    env: terminal.env,
    colours: terminal.colours,
    named,
    async connect(say) {
      const client = await connectToDaemon({ projectDir, autoStart: true, env: terminal.env, onProgress: say });
      // Without it, the person is asked on the ordinary screen: see `askConsent`.
      return trust ? withConsent(client, { terminal, trust }) : client;
    },
    async askConsent(client) {
      const { obtainConsent } = await import("../../consent/obtain-consent.ts");
      await obtainConsent(client, { terminal, trust });
    },
  };
}
