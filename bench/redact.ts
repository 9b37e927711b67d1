import { createRedactor } from "../src/kernel/redact.ts";
import { format, median, type Bench } from "./bench.ts";
import { scanOnce } from "./limits/one-scan.ts";

const LENGTH = 1_000_000;
/** Texts that make a careless rule try the same characters again and again, and one that people write. */
const UNITS = [
  "a.b+c- token://",
  "token=token=",
  "token=abcd1234 ",
  "token: a\n",
  "password='password=\"",
  "sk-",
  "eyJaaaaaaaa.",
  "ghp_ ",
  "http://a:",
  "-----BEGIN PRIVATE KEY-----",
  "12345678:AA",
  "Authorization: Bearer ",
  "The reviewer read the change, and the token of a run was nowhere in it. ",
];

/** Secrets are removed from every message before it is stored, in the process that serves everybody. */
export const redact: Bench = {
  name: "redact",
  measures: "time to remove secrets from a megabyte, for the text that takes longest",
  async run({ quick, progress }) {
    const rounds = quick ? 2 : 5;
    const ratios: number[] = [];
    const times: number[] = [];
    let slowest = "";
    for (let round = 1; round <= rounds; round += 1) {
      let most = 0;
      let limit = 0;
      for (const unit of UNITS) {
        const text = Buffer.from(`${unit.repeat(LENGTH / unit.length)}${round}`).toString();
        const redacting = timeOf(() => createRedactor({ secrets: ["bench-0123456789"] }).redact(text));
        limit = Math.max(
          limit,
          timeOf(() => scanOnce(text)),
        );
        if (redacting > most) [most, slowest] = [redacting, unit];
      }
      // The first round is slow for both: nothing is compiled yet.
      if (round === 1 && rounds > 1) continue;
      ratios.push(most / limit);
      times.push(most);
      progress(`round ${round} of ${rounds}: ${format(most)} ms against ${format(limit)} ms`);
    }
    return [
      {
        what: "to one pattern that is applied once",
        ratios,
        goal: { atMost: 8 },
        detail: `${format(median(times))} ms for the slowest text, ${JSON.stringify(slowest)}`,
      },
    ];
  },
};

/** The best of three. */
function timeOf(work: () => unknown): number {
  let best = Infinity;
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const started = performance.now();
    work();
    best = Math.min(best, performance.now() - started);
  }
  return best;
}
