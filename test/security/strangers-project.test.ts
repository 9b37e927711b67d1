import { existsSync } from "node:fs";
import { expect } from "vitest";
import { commandFolder } from "../support/daemon/installed-command.ts";
import { attack } from "../support/security/attack.ts";

attack("a look into an empty folder leaves nothing behind [trust.rests]", async () => {
  using folder = commandFolder();
  expect(await folder.run(["check"])).toMatchObject({ exit: 0 });
  expect(existsSync(folder.in(".workspace"))).toBe(false);
});
