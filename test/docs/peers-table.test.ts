import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { peers } from "../../bench/peers/peers.ts";
import { readmeSection, sectionIn, withSection } from "../../bench/peers/readme-section.ts";
import type { PeerResult } from "../../bench/peers/results.ts";

const README = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
const MANY = { seconds: 1, cpuMsPerStep: 1, mb: 100, processes: 1, errors: 0 };

function resultOf({ name, label, durable, flushed }: (typeof peers)[number]): PeerResult {
  const kill = [{ outcome: "resumes", repeated: 0 }];
  const seen = { stepMs: [1], hopMs: [1], many: [MANY], idleMb: [1], coldMs: [1], kill, crowd: [MANY] };
  return { name, label, durable, flushed, versions: [], failures: {}, ...seen };
}

const made = readmeSection({
  date: "2026-01-01",
  machine: "2 cores, linux, Node v24.0.0",
  rounds: 5,
  peers: peers.map(resultOf),
});

/** Without what differs from run to run: numbers, and how a program ended after the kill. */
function shapeOf(section: string): readonly string[] {
  const text = section.replaceAll(/\d[\d.,]*\d|\d/g, "N").replaceAll(/Medians of N rounds?, [^:]*:/g, "Medians:");
  const lines = text.split("\n");
  const rows = lines.filter((line) => line.startsWith("|")).map((line) => line.replace(/[^|]*\|$/, "|"));
  const prose = lines.filter((line) => !line.startsWith("|")).join(" ");
  return [prose.replaceAll(/\s+/g, " ").trim(), ...rows];
}

describe("the table of peers in the README", () => {
  it("is what the bench prints, with the numbers of a run", () => {
    expect(shapeOf(sectionIn(README))).toEqual(shapeOf(made));
  });

  it("says when and on what it was measured, and no program failed to be measured", () => {
    expect(sectionIn(README)).toMatch(/Medians of \d+ rounds?, \d{4}-\d\d-\d\d, \d+ cores, \w+, Node v[\d.]+:/);
    expect(sectionIn(README)).not.toContain("failed");
  });

  it("is written in place of the old one, and nothing else changes", () => {
    const written = withSection(README, made);
    expect(sectionIn(written)).toBe(made);
    expect(withSection(written, sectionIn(README))).toBe(README);
  });
});
