import { expect, it } from "vitest";
import { startCommandedDaemon } from "../../support/daemon/commanded-daemon.ts";
import { agentFile } from "../../support/team/team.ts";

const ENTRIES = 1_300;
/** A memory file has a largest size, so they are in several. */
const PER_FILE = 130;
const LONG_AGO = "2020-03-01T10:00:00.000Z";
const entry = (n: number): string => {
  const text = Array.from({ length: 30 }, (_, at) => `word${n}x${at}`).join(" ");
  return `fact-${n}: { value: "${text}", tier: working, visibility: private, source: alice, created: "${LONG_AGO}", updated: "${LONG_AGO}", id: mem_${n} }\n`;
};

it("archiving 1,300 memories takes seconds, says how far it is, and others are answered meanwhile [recall.archive-others]", async () => {
  await using daemon = await startCommandedDaemon({
    files: {
      ...agentFile("alice"),
      ...agentFile("bob"),
      ...Object.fromEntries(
        Array.from({ length: ENTRIES / PER_FILE }, (_, file) => [
          `.agents/alice/memory/facts-${file}.yaml`,
          Array.from({ length: PER_FILE }, (_, n) => entry(file * PER_FILE + n)).join(""),
        ]),
      ),
    },
  });
  // Bob is asked once before: what a first run loads is not what archiving costs.
  expect(await daemon.run(["send", "bob", "hello", "--wait"])).toMatchObject({ exit: 0 });
  const waited: number[] = [];
  let isOver = false;
  const started = performance.now();
  const archiving = daemon.run(["agent", "memory", "alice", "archive"]).finally(() => {
    isOver = true;
  });
  do {
    const asked = performance.now();
    const answered = await daemon.client.serve({ agent: "bob", message: `and now ${waited.length}?` });
    expect(answered).toMatchObject({ ok: true, value: { success: true } });
    if (!isOver) waited.push(performance.now() - asked);
  } while (!isOver);
  const { exit, err, out } = await archiving;
  const seconds = (performance.now() - started) / 1000;
  expect({ exit, out }).toMatchObject({ exit: 0, out: expect.stringContaining("Set aside") });
  expect(err).toMatch(/^200 of 1,\d+ set aside\n400 of 1,\d+ set aside\n/);
  expect(out).toMatch(/^Set aside 1,2\d\d memories and 0 days of conversation\.\n$/);
  expect(seconds).toBeLessThan(30);
  // Each answer came while it went on, and none of them waited for the end of it.
  expect(waited.length).toBeGreaterThan(2);
  expect(Math.max(...waited)).toBeLessThan((seconds * 1000) / 2);
  process.stdout.write(
    `archived ${ENTRIES} in ${seconds.toFixed(1)} s; ${waited.length} answers of another agent meanwhile, the slowest in ${Math.max(...waited).toFixed(0)} ms\n`,
  );
});
