import { describe, expect, it } from "vitest";
import { startCommandedDaemon } from "../../support/daemon/commanded-daemon.ts";

/** Lines of words, as a large diff has them. */
const DIFF = (megabytes: number): string =>
  `yes 'a line of a diff with some words, an @name and numbers 0123456789' | head -c ${megabytes * 1_000_000}`;

/** Far less than the seconds that the whole takes, and enough for a machine that does other things. */
const SLOWEST_MS = 1_500;

describe("a large kickoff", () => {
  it.each([2, 20])(
    "of %i MB is watched to its end, and others are answered meanwhile [once.large-kickoff]",
    async (megabytes) => {
      await using daemon = await startCommandedDaemon({
        files: {
          ".agents/bob.yaml": "name: bob\nbackend: mock\nprompt: { system: You are bob. }\n",
          ".workflows/big.yaml": `name: big\nagents: { bob: { ref: bob } }\nsetup:\n  - { shell: "${DIFF(megabytes)}", as: diff }\nkickoff: "@bob please read this: \${{ diff }}"\n`,
        },
      });
      let done = false;
      const running = daemon.run(["run", "big"]).finally(() => (done = true));
      let slowest = 0;
      while (!done) {
        const before = performance.now();
        await daemon.client.call("list-agents", {});
        slowest = Math.max(slowest, performance.now() - before);
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
      const { exit, out, err } = await running;
      expect(out).toContain("agent-worker resource show res_");
      expect({ exit, err }).toEqual({ exit: 0, err: "" });
      expect(slowest).toBeLessThan(SLOWEST_MS);
    },
  );
});
