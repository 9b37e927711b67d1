import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { startCommandedDaemon } from "../support/daemon/commanded-daemon.ts";
import { proposalFile } from "../support/team/own-proposals.ts";

describe("an own proposal", () => {
  it("whose code has a mistake is told by it, before and after it is allowed [own.broken]", async () => {
    await using daemon = await startCommandedDaemon({
      files: { ".agents/proposals/duty.ts": proposalFile("take_duty", "return 1;") },
    });
    expect(await daemon.run(["call", "take_duty", "{}"])).toMatchObject({ exit: 0 });
    writeFileSync(join(daemon.project, ".agents/proposals/duty.ts"), proposalFile("take_duty", "return 1 +;"));
    const called = await daemon.run(["call", "take_duty", "{}"]);
    expect(called.exit).not.toBe(0);
    expect(called.err).toMatch(
      /"take_duty" cannot be used\. \.agents\/proposals\/duty\.ts:11: .*(?:expected|Expression)/i,
    );
    const listed = await daemon.run(["ls"]);
    const lines = `${listed.out}${listed.err}`.split("\n").filter((line) => line.includes("duty.ts"));
    expect(lines, lines.join("\n")).toHaveLength(1);
    const trusted = await daemon.run(["trust", "--trust"]);
    expect(trusted).toMatchObject({ exit: 0 });
    expect(trusted.err).toMatch(/duty\.ts:11:\d+: .* Its proposals cannot be used until it is mended\./);
  });
});
