import { expect, it } from "vitest";
import { startCommandedDaemon } from "../support/commanded-daemon.ts";

it("ui prints where the page is, without the token, and says what is not there", async () => {
  await using daemon = await startCommandedDaemon();
  const { exit, out, err } = await daemon.run(["ui"]);
  expect({ exit, err }).toEqual({ exit: 0, err: "" });
  expect(out).toMatch(new RegExp(`^${daemon.url}/\n.*no web UI yet`));
  expect(out).not.toContain(daemon.token);
  expect(await daemon.json(["ui"])).toEqual({ url: `${daemon.url}/`, ui: false });
  expect((await fetch(daemon.url)).status).toBe(200);
  expect(await daemon.run(["ui", "now"])).toMatchObject({ exit: 2, out: "" });
});
