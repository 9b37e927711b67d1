import { format, median, type Bench } from "./bench.ts";
import { LAUNCHER, timePrograms, writeSmallPrograms } from "./support/program-time.ts";
import { temporaryFolder } from "./support/temporary-folder.ts";

/** What everybody types first must not feel slow. */
export const cliHelp: Bench = {
  name: "cli-help",
  measures: "--help and --version, from the start of the process to its end",
  async run({ quick }) {
    using folder = temporaryFolder();
    const programs = writeSmallPrograms(folder.path);
    const times = timePrograms(
      {
        empty: { args: [programs.empty] },
        help: { args: [LAUNCHER, "--help"] },
        version: { args: [LAUNCHER, "--version"] },
      },
      { rounds: quick ? 2 : 7, tries: quick ? 3 : 9 },
    );
    return (["help", "version"] as const).map((name) => ({
      what: `--${name} to an empty program`,
      ratios: times[name].map((time, round) => time / (times.empty[round] ?? Number.NaN)),
      goal: { atMost: 1.25 },
      detail: `${format(median(times[name]))} ms against ${format(median(times.empty))} ms`,
    }));
  },
};
