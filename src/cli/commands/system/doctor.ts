import { EXIT } from "../../../contract/service/errors.ts";
import type { Finding } from "../../../daemon/doctor/finding.ts";
import { systemClock } from "../../../kernel/clock.ts";
import { defineCommand } from "../../command.ts";
import { countOf } from "../../output/count-of.ts";
import { hintIn } from "../../output/named-project.ts";
import { paintFor, type Paint } from "../../output/paint.ts";
import { visibleLine } from "../../output/visible-text.ts";

export const doctor = defineCommand({
  about: [
    "Looks for what is wrong with this machine, the daemon and the project, and says what to do. Exit code 1 when",
    "something is. It needs neither a daemon nor a project that can be used, and changes nothing without --fix or --reopen.",
  ].join("\n"),
  options: {
    fix: { about: "Repair what needs no decision: modes of files, a registration of a daemon that is gone" },
    reopen: { about: "After a database was deleted or replaced in use: open what is there now, or an empty one" },
  },
  examples: ["agent-worker doctor", "agent-worker doctor --fix"],

  async run({ options: { fix, reopen }, json, trust, terminal, projectDir }) {
    const { examine } = await import("../../../daemon/doctor/examine.ts");
    const findings = await examine({
      projectDir: projectDir(),
      env: terminal.env,
      clock: systemClock,
      fix,
      reopen,
      trust,
    });
    const problems = findings.filter(({ state }) => state === "problem").length;
    if (json) terminal.print(`${JSON.stringify({ ok: problems === 0, findings })}\n`);
    else {
      const paint = paintFor(terminal);
      const own = projectDir();
      const complete = (next: string, dir = own): string => (dir === own ? terminal.hint(next) : hintIn(dir, next));
      const shown = findings.map((each) => ({
        ...each,
        next: each.next === null ? null : complete(each.next, each.dir),
      }));
      terminal.print(shown.map((finding) => findingText(finding, paint)).join(""));
      const warnings = findings.filter(({ state }) => state === "warning").length;
      const verdict = [
        ...(problems === 0 ? [] : [countOf(problems, "problem")]),
        ...(warnings === 0 ? [] : [countOf(warnings, "warning")]),
      ];
      terminal.print(verdict.length === 0 ? "All is well.\n" : `${verdict.join(", ")}.\n`);
    }
    return problems === 0 ? EXIT.ok : EXIT.failed;
  },
});

const STATE_WIDTH = 8;
const CHECK_WIDTH = 10;

/** One line: the check, its state, and the next step. */
function findingText({ check, state, message, next }: Finding, paint: Paint): string {
  const mark = state.padEnd(STATE_WIDTH);
  const painted = state === "ok" || state === "fixed" ? paint.good(mark) : paint.bad(mark);
  const step = next === null ? "" : `. ${next}`;
  return `${painted}${check.padEnd(CHECK_WIDTH)}${visibleLine(message.replace(/\.$/, ""))}${step}\n`;
}
