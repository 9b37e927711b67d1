import { expect, it } from "vitest";
import { runCommand } from "../../scripts/run-command.ts";

it("every bench runs to its end", { timeout: 600_000 }, async () => {
  const { ok, seconds, output } = await runCommand(["node", "bench/main.ts", "--quick"]);
  console.log(`all benches, quickly: ${Math.round(seconds)} s`);
  expect(output.split("\n").filter((line) => line.includes("FAILED"))).toEqual([]);
  expect({ ok, hasFigures: output.includes("sim-rate:") && !output.includes("NaN") }, output.slice(-3_000)).toEqual({
    ok: true,
    hasFigures: true,
  });
});
