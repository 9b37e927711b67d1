import { homeFolder } from "../../../client/home.ts";
import { EXIT } from "../../../contract/service/errors.ts";
import { UsageError } from "../../arguments/usage-error.ts";
import { defineCommand } from "../../command.ts";
import { askWithOneKey } from "../../consent/ask-with-one-key.ts";
import { trustText } from "../../consent/trust-text.ts";
import type { Invocation } from "../../invocation.ts";
import { Refused } from "../../refused.ts";

export const trust = defineCommand({
  about: [
    "Shows what the project can do with your rights: programs it would run, servers it would start or send to, variables",
    "it names, permissions, setup commands. Asks whether it may. Until then the project rests: people can read it, and",
    "nothing happens. When a file widens what an agent can do, that agent rests until you have seen the difference.",
    "trust list shows the projects you trust. Your consent is kept in the home, never in the project.",
  ].join("\n"),
  words: ["[list]"],
  options: {
    show: { about: "Only show it" },
    always: { about: "Do not ask again for this folder, whatever changes in it" },
  },
  examples: [
    "agent-worker trust --show",
    "agent-worker trust",
    "agent-worker trust --always",
    "agent-worker trust list",
  ],

  async run(invocation) {
    const { words, options } = invocation;
    if (words[0] === "list") return listTrusted(invocation);
    if (words[0] !== undefined)
      throw new UsageError(`There is no "trust ${words[0]}".`, "To trust another folder: --project DIR");
    const view = await invocation.call("show-trust", {});
    if (options.show) return invocation.print(view, () => trustText(view, "everything"));
    const isNew = view.kind !== "trusted" || view.abilities.some(({ seen }) => !seen);
    if (!isNew && !options.always) {
      await noteBrokenCode(invocation);
      return invocation.print(view, () => trustText(view, "everything"));
    }
    if (!(await agrees(invocation, () => trustText(view, isNew ? "unseen" : "everything")))) {
      throw new Refused({ code: "untrusted", message: "Nothing was changed: the project rests." });
    }
    const granted = await invocation.call("grant-trust", { seen: view.fingerprint, always: options.always });
    await noteBrokenCode(invocation);
    return invocation.print(granted, `Trusted: ${invocation.projectDir()}\n`);
  },
});

/** Code that was allowed and cannot be used: nobody should find out with the first call. */
async function noteBrokenCode({ call, json, terminal }: Invocation): Promise<void> {
  if (json) return;
  const { problems } = await call("list-own-proposals", {});
  for (const { file, line, column, message } of problems)
    terminal.note(`${file}:${line}:${column}: ${message} Its proposals cannot be used until it is mended.\n`);
}

/** Where nobody can answer, typing the command is not enough: `--trust` says that it was read. */
async function agrees({ terminal, trust: given, options }: Invocation, text: () => string): Promise<boolean> {
  if (given) return true;
  if (terminal.interactive) {
    terminal.note(text());
    return askWithOneKey(
      terminal,
      options["always"] === true ? "Let it do this, and whatever it can do later?" : "Let it do this?",
    );
  }
  terminal.note(text());
  throw new Refused({
    code: "untrusted",
    message: "Nobody is there to answer, so nothing was changed.",
    hint: "If you have read it: agent-worker trust --trust",
  });
}

async function listTrusted({ terminal, print }: Invocation): Promise<number> {
  const { openConsentFiles } = await import("../../../daemon/trust/consent-files.ts");
  const projects = openConsentFiles(homeFolder(terminal.env)).list();
  return print(
    { projects: projects.map(({ dir, consent }) => ({ dir, always: consent.always })) },
    projects.length === 0
      ? "You trust no project on this machine yet.\n"
      : projects.map(({ dir, consent }) => `${dir}${consent.always ? "  (always)" : ""}\n`).join(""),
  );
}

export const untrust = defineCommand({
  about: "Takes your consent back: the project rests at once. What its agents were doing waits and is kept.",
  examples: ["agent-worker untrust", "agent-worker untrust --project ../stranger"],

  async run(invocation) {
    await invocation.call("revoke-trust", {});
    invocation.print({ trusted: false }, `No longer trusted: ${invocation.projectDir()}\n`);
    return EXIT.ok;
  },
});
