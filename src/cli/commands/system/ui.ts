import { resolve } from "node:path";
import { homeFolder } from "../../../client/home.ts";
import { prepareHome } from "../../../client/prepare-home.ts";
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
    "  share       opens the page to other devices at --url, which must be https: with --listen, --cert and --key the daemon",
    "              answers there itself; without, a tunnel or a reverse proxy in front of it does. --off ends that.",
  ].join("\n"),
  words: ["[ACTION]", "[ID]"],
  options: {
    "no-open": { about: "Only print the address" },
    all: { about: "With revoke: every browser" },
    url: { value: "URL", about: "With share: the address that other devices open, such as https://192.168.1.20:5443" },
    listen: { value: "HOST", about: "With share: the address of this machine to listen on" },
    cert: { value: "FILE", about: "With share: the certificate, in PEM" },
    key: { value: "FILE", about: "With share: the key of the certificate, in PEM" },
    off: { about: "With share: only this machine reaches the page" },
  },
  examples: [
    "agent-worker ui",
    "agent-worker ui --no-open",
    "agent-worker ui list",
    "agent-worker ui revoke 0123456789abcdef",
    "agent-worker ui revoke --all",
    "agent-worker ui share --url https://192.168.1.20:5443 --listen 192.168.1.20 --cert cert.pem --key key.pem",
    "agent-worker ui pair",
  ],

  async run(invocation) {
    const { options, words } = invocation;
    const [action, id] = words;
    if (action === undefined) return openPage(invocation, options["no-open"]);
    const chosen = oneOf("ACTION", action, ["list", "revoke", "pair", "share"]);
    if (chosen === "pair") return pair(invocation);
    if (chosen === "share") return share(invocation, options);
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

interface ShareOptions {
  readonly url?: string | undefined;
  readonly listen?: string | undefined;
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
  readonly off: boolean;
}

/** Settings of the daemon in the home: they hold from its next start on. */
async function share({ terminal, print }: Invocation, { url, listen, cert, key, off }: ShareOptions): Promise<number> {
  const { pageAccess, tlsOf, writePageAccess } = await import("../../../daemon/page-access.ts");
  const home = homeFolder(terminal.env);
  prepareHome(home);
  const again = "It holds from the next start of the daemon on: agent-worker daemon restart\n";
  if (off) {
    writePageAccess(home, undefined);
    return print({ url: null }, `Only this machine reaches the page. ${again}`);
  }
  const given = [listen, cert, key].filter((each) => each !== undefined).length;
  if (url === undefined || (given !== 0 && given !== 3)) {
    throw new UsageError("share needs --url, and --listen, --cert and --key all together or not at all.");
  }
  const file = (path = ""): string => resolve(terminal.cwd, path);
  const tls = given === 3 ? { tls: { host: listen ?? "", cert: file(cert), key: file(key) } } : {};
  const access = pageAccess.safeParse({ url, ...tls });
  if (!access.success) throw new UsageError(`--url must be an address with https, such as https://192.168.1.20:5443.`);
  tlsOf(access.data);
  writePageAccess(home, access.data);
  const how =
    given === 3 ? `The daemon answers at ${url} itself.` : `What encrypts at ${url} must pass on the header Host.`;
  return print({ url, listen: listen ?? null }, `${how} ${again}Then: agent-worker ui pair\n`);
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
