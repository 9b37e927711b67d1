import { defineCommand } from "../../command.ts";
import { openBrowser } from "./open-browser.ts";

/**
 * The URL contains no token, because it ends up in process arguments and in the history of shell and browser. It
 * contains a code that works once, within two minutes.
 */
export const ui = defineCommand({
  about:
    "Opens the web page of the daemon: channels live, agents, runs, and what waits for you to decide. The address it prints lets one browser in, once, within two minutes.",
  options: { "no-open": { about: "Only print the address" } },
  examples: ["agent-worker ui", "agent-worker ui --no-open"],

  async run({ options, terminal, projectDir, client, print }) {
    const daemon = await client();
    const { url: page, code, lastsMs } = await daemon.openPage();
    const url = `${page}#${new URLSearchParams({ code, project: projectDir() }).toString()}`;
    const opened = options["no-open"] ? false : await openBrowser(url, terminal.env);
    const minutes = Math.round(lastsMs / 60_000);
    return print(
      { url, opened, lastsMs },
      `${url}\n${opened ? "Your browser shows it." : "Open it in your browser."} The address works once, within ${minutes} minutes.\n`,
    );
  },
});
