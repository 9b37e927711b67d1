import type { PageSessionView } from "../../../contract/service/page.ts";
import type { Refusal } from "../../../kernel/refusal.ts";
import type { Result } from "../../../kernel/result.ts";
import { oneOf } from "../../arguments/one-of.ts";
import { UsageError } from "../../arguments/usage-error.ts";
import { defineCommand } from "../../command.ts";
import type { Invocation } from "../../invocation.ts";
import { countOf } from "../../output/count-of.ts";
import { firstLine } from "../../output/visible-text.ts";
import { Refused } from "../../refused.ts";
import { openBrowser } from "./open-browser.ts";

/**
 * The URL contains no secret that lasts, because it ends up in process arguments and in the history of shell and
 * browser. It contains a code that works once, within two minutes.
 */
export const ui = defineCommand({
  about: [
    "Opens the web page of the daemon: channels live, agents, runs, and what waits for you to decide. The address it prints lets one browser in, once, within two minutes. With an action:",
    "  list        the browsers that are signed in",
    "  revoke ID   signs one out, with everything it has open; --all: all of them",
    "  pair        prints a short code, to be typed on another device within five minutes",
  ].join("\n"),
  words: ["[ACTION]", "[ID]"],
  options: {
    "no-open": { about: "Only print the address" },
    all: { about: "With revoke: every browser" },
  },
  examples: [
    "agent-worker ui",
    "agent-worker ui --no-open",
    "agent-worker ui list",
    "agent-worker ui revoke 0123456789abcdef",
    "agent-worker ui revoke --all",
    "agent-worker ui pair",
  ],

  async run(invocation) {
    const { options, words } = invocation;
    const [action, id] = words;
    if (action === undefined) return openPage(invocation, options["no-open"]);
    const chosen = oneOf("ACTION", action, ["list", "revoke", "pair"]);
    if (chosen === "pair") return pair(invocation);
    if (chosen === "list") {
      if (id !== undefined) throw new UsageError(`"${id}" is one word too many.`);
      return listBrowsers(invocation);
    }
    if (options.all === (id !== undefined)) throw new UsageError("Give the ID of one browser, or --all.");
    return signOut(invocation, id ?? "all");
  },
});

async function openPage({ terminal, projectDir, client, print }: Invocation, onlyPrint: boolean): Promise<number> {
  const daemon = await client();
  const { url: page, code, lastsMs } = await daemon.openPage();
  const url = `${page}#${new URLSearchParams({ code, project: projectDir() }).toString()}`;
  const opened = onlyPrint ? false : await openBrowser(url, terminal.env);
  const minutes = Math.round(lastsMs / 60_000);
  return print(
    { url, opened, lastsMs },
    `${url}\n${opened ? "Your browser shows it." : "Open it in your browser."} The address works once, within ${minutes} minutes.\n`,
  );
}

async function pair({ client, print }: Invocation): Promise<number> {
  const { url, code, lastsMs } = await (await client()).pairPage();
  const minutes = Math.round(lastsMs / 60_000);
  return print(
    { url, code, lastsMs },
    `On the other device open ${url}\nand type ${code} (once, within ${minutes} minutes).\n`,
  );
}

async function listBrowsers({ client, print }: Invocation): Promise<number> {
  const { sessions } = accepted(await (await client()).listPageSessions());
  return print({ sessions }, () => sessions.map(sessionText).join("") || "No browser is signed in.\n");
}

async function signOut({ client, print }: Invocation, id: string): Promise<number> {
  const { ended } = accepted(await (await client()).endPageSession(id));
  return print({ ended }, `Signed out ${countOf(ended.length, "browser")}.\n`);
}

function sessionText({ id, browser, createdAt, lastUsedAt, endsAt, open }: PageSessionView): string {
  const times = `since ${createdAt}, last used ${lastUsedAt}, ends ${endsAt}`;
  return `${id}  ${firstLine(browser) || "a browser without a name"}\n  ${times}, ${countOf(open, "open request")}\n`;
}

function accepted<T>(result: Result<T, Refusal>): T {
  if (!result.ok) throw new Refused(result.error);
  return result.value;
}
