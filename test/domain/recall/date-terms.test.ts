import { describe, expect, it } from "vitest";
import {
  dayTerms,
  isDateTerm,
  leadingDay,
  questionDateTerms,
  writtenDateTerms,
} from "../../../src/domain/recall/date-terms.ts";

const NOW = Date.UTC(2026, 5, 10, 12);

describe("[recall.dates] dates", () => {
  it.each([
    ["What happened on 8 May 2026?", ["d202605", "d20260508"]],
    ["What happened on May 8th, 2026?", ["d202605", "d20260508"]],
    ["the 8th of May", ["dx0508"]],
    ["in June 2025", ["d202506"]],
    ["on 2026-05-08", ["d202605", "d20260508"]],
    ["What did she do in August?", ["dx08"]],
    ["what did I say yesterday?", ["d20260609"]],
    ["two weeks ago", ["d20260527"]],
    ["last month", ["d202605"]],
    ["you may march in", []],
    ["12 sep", ["dx0912"]],
  ])("of the question %j are %j", (question, terms) => {
    expect([...questionDateTerms(question, NOW).keys()].toSorted()).toEqual(terms.toSorted());
  });

  it("of a text are those of its day and those written in it", () => {
    expect(dayTerms(NOW)).toEqual(["d20260610", "d202606", "dx0610", "dx06"]);
    expect(writtenDateTerms("We met on 3 March 2024.")).toEqual(["d20240303", "d202403", "dx0303", "dx03"]);
    expect(leadingDay("[2024-03-03] Maria: hello")).toBe("d20240303");
    expect(leadingDay("hello")).toBeNull();
    expect([...dayTerms(NOW), ...writtenDateTerms("3 March")].every(isDateTerm)).toBe(true);
    expect(["deploy", "dx", "d12"].some(isDateTerm)).toBe(false);
  });
});
