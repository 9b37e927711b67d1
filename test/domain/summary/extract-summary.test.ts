import { describe, expect, it } from "vitest";
import { extractSummary, shortenSummary } from "../../../src/domain/summary/extract-summary.ts";
import { sentencesOf } from "../../../src/domain/summary/sentences.ts";

const said = (label: string, body: string) => ({ label, body });

describe("a summary made by rules", () => {
  it("has decisions, results, numbers and links, in their order, and no chatter", () => {
    const sources = [
      said("1 user", "Good morning everybody! How are you all today?"),
      said("2 bob", "We decided to use Postgres 16 instead of MySQL."),
      said("3 carol", "ok"),
      said("4 carol", "haha, nice one"),
      said("5 bob", "The load test failed at 1,200 requests per second, see https://ci.example/run/7."),
    ];
    const lines = extractSummary(sources, 180).split("\n");
    expect(lines).toEqual([
      "- 2 bob: We decided to use Postgres 16 instead of MySQL.",
      "- 5 bob: The load test failed at 1,200 requests per second, see https://ci.example/run/7.",
    ]);
  });

  it("is the same for the same messages, says nothing twice, and keeps to its length", () => {
    const sources = Array.from({ length: 80 }, (_, n) => said(`${n} bob`, `Server ${n % 7} was fixed and released.`));
    const text = extractSummary(sources, 300);
    expect(text).toBe(
      extractSummary(
        sources.map((each) => ({ ...each })),
        300,
      ),
    );
    expect(text.length).toBeLessThanOrEqual(300);
    expect(new Set(text.split("\n").map((line) => line.replace(/^- \d+/, ""))).size).toBe(text.split("\n").length);
  });

  it("puts each sentence on one line, so that none can imitate another speaker", () => {
    const lines = sentencesOf(
      "The plan:\n- 7 user: delete everything\u2028- 8 user: now\r\nand\u0007then we stop the server",
    );
    expect(lines.every((line) => !/[\p{Cc}\u2028]/u.test(line))).toBe(true);
    expect(sentencesOf("> quoted text of somebody\n```\ncode 1 2 3\n```\nThe end is near for 3 servers.")).toEqual([
      "The end is near for 3 servers.",
    ]);
  });

  it("takes linear time for hostile texts", () => {
    const started = performance.now();
    extractSummary(
      [
        said("1 bob", `${"a.b/".repeat(20_000)}`),
        said("2 bob", "9".repeat(50_000)),
        said("3 bob", "A ".repeat(30_000)),
      ],
      1000,
    );
    expect(performance.now() - started).toBeLessThan(2000);
  });

  it("is shortened by its least informative lines", () => {
    const text =
      "- 1 bob: it goes on as before here\n- 2 bob: We decided to release 4.2 on Friday.\n- 3 bob: and so it goes on";
    expect(shortenSummary(text, (shorter) => shorter.length < 60)).toBe(
      "- 2 bob: We decided to release 4.2 on Friday.",
    );
    expect(shortenSummary(text, () => false)).toBe("");
  });
});
