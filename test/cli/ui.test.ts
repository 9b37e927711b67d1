import { chmodSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { parseSignInLink } from "../../web/src/connection/sign-in-link.ts";
import { startCommandedDaemon } from "../support/daemon/commanded-daemon.ts";
import { eventually } from "../support/team/running-project.ts";

it("[ui.served] [ui.token] ui prints where the page is, with a code that lets one browser in and no token", async () => {
  await using daemon = await startCommandedDaemon();
  const { exit, out, err } = await daemon.run(["ui", "--no-open"]);
  expect({ exit, err }).toEqual({ exit: 0, err: "" });
  const [address = "", advice] = out.split("\n");
  expect(address.startsWith(`${daemon.url}/#`)).toBe(true);
  expect(advice).toContain("once, within 2 minutes");
  expect(out).not.toContain(daemon.token);
  const arrival = parseSignInLink(address);
  expect(arrival?.project).toBe(daemon.project);
  const enter = () =>
    fetch(`${daemon.url}/ui/sessions`, {
      method: "POST",
      headers: { "x-agent-worker-code": arrival?.code ?? "" },
    });
  expect([(await enter()).status, (await enter()).status]).toEqual([200, 401]);

  expect(await daemon.json(["ui", "--no-open"])).toEqual({
    url: expect.stringContaining(`${daemon.url}/#code=awc_`),
    opened: false,
    lastsMs: 120_000,
  });
  expect(await daemon.run(["ui", "now"])).toMatchObject({ exit: 2, out: "" });
});

it("[sessions.listed] ui list says who is signed in, and ui revoke signs out", async () => {
  await using daemon = await startCommandedDaemon();
  expect(await daemon.run(["ui", "list"])).toEqual({ exit: 0, out: "No browser is signed in.\n", err: "" });
  const { code } = await daemon.client.openPage();
  await fetch(`${daemon.url}/ui/sessions`, {
    method: "POST",
    headers: { "x-agent-worker-code": code, "user-agent": "Test/1.0" },
  });
  const { out } = await daemon.run(["ui", "list"]);
  expect(out).toMatch(/^[0-9a-f]{16} {2}Test\/1\.0\n {2}since .+, last used .+, ends .+, 0 open requests\n$/);
  expect(await daemon.run(["ui", "revoke", "nobody"])).toMatchObject({ exit: 3, out: "" });
  expect(await daemon.run(["ui", "revoke", out.slice(0, 16)])).toMatchObject({
    exit: 0,
    out: "Signed out 1 browser.\n",
  });
  expect(await daemon.run(["ui", "revoke", "--all"])).toMatchObject({ exit: 0, out: "Signed out 0 browsers.\n" });
  for (const wrong of [["list", "x"], ["revoke"], ["revoke", "x", "--all"], ["list", "x", "y"]]) {
    expect(await daemon.run(["ui", ...wrong])).toMatchObject({ exit: 2, out: "" });
  }
});

it("[ui.served] ui opens the browser the environment names, with the address and without a shell", async () => {
  await using daemon = await startCommandedDaemon();
  daemon.write("browser", '#!/bin/sh\nprintf "%s\\n" "$#" "$@" > opened.part && mv opened.part opened\n');
  chmodSync(join(daemon.project, "browser"), 0o755);
  const opened = join(daemon.project, "opened");
  const shown = await daemon.json(["ui"], { env: { BROWSER: join(daemon.project, "browser") } });
  await eventually("the browser was started", () => existsSync(opened));
  expect(shown).toMatchObject({ opened: true });
  expect(readFileSync(opened, "utf8")).toBe(`1\n${(shown as { url: string }).url}\n`);
  expect(await daemon.json(["ui"], { env: { BROWSER: "/no/such/browser" } })).toMatchObject({ opened: false });
  expect(await daemon.json(["ui"])).toMatchObject({ opened: false });
});
