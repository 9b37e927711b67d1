import { describe, expect, it } from "vitest";
import { startCommandedDaemon } from "../../support/daemon/commanded-daemon.ts";

const workflow = (bytes: number): string =>
  [
    "agents: { bob: bob }",
    "setup:",
    `  - { shell: "yes 'a line of words' | head -c ${bytes}", as: big }`,
    'kickoff: "@bob hello ${{ big }}"',
    "",
  ].join("\n");

describe("the output of a setup step", () => {
  it("is whole, or the start is refused and says why [workflow.setup-output]", async () => {
    await using daemon = await startCommandedDaemon({
      files: {
        ".agents/bob.yaml": "name: bob\nbackend: mock\nprompt: { system: You are bob. }\n",
        ".workflows/large.yaml": workflow(20_000_000),
        ".workflows/huge.yaml": workflow(40_000_000),
      },
    });
    for (let time = 0; time < 6; time += 1) {
      const large = await daemon.run(["run", "large"]);
      expect(large).toMatchObject({ exit: 0, err: "" });
      expect(large.out).toContain("19.1 MiB in all");
    }
    const huge = await daemon.run(["run", "huge"]);
    expect(huge.exit).not.toBe(0);
    expect(huge.err).toContain("wrote more than 32 MiB");
    expect(huge.err).toContain('"big" would not be whole');
  });
});
