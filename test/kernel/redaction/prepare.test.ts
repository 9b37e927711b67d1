import { describe, expect, it } from "vitest";
import { createRedactor } from "../../../src/kernel/redact.ts";

const SECRETS = ["value-of-the-environment"];
const LENGTH = 1024 * 1024;
const UNITS = [
  "The reviewer read the change. ",
  'api_key: "abcd1234efgh" ',
  "https://user:secret12@host/ ",
  "value-of-the-environment ",
  "sk-",
  "token=",
];

describe("long texts", () => {
  it.each(UNITS)("give the same when they are prepared with pauses: %s [redaction.time]", async (unit) => {
    const text = unit.repeat(Math.ceil(LENGTH / unit.length));
    const redactor = createRedactor({ secrets: SECRETS });
    await redactor.prepare({ deep: [{ text }] });
    expect(redactor.redact(text)).toBe(createRedactor({ secrets: SECRETS }).redact(text));
  });

  it("let others go on meanwhile [redaction.time]", async () => {
    let turns = 0;
    let over = false;
    const count = (): void => {
      turns += 1;
      if (!over) setImmediate(count);
    };
    setImmediate(count);
    await createRedactor({ secrets: SECRETS }).prepare("token=abcd1234 ".repeat(LENGTH / 15));
    over = true;
    expect(turns).toBeGreaterThan(30);
  });

  it("are looked for only where there are some", () => {
    const redactor = createRedactor();
    expect(redactor.prepare({ message: "short", list: ["a", { b: "c" }] })).toBeUndefined();
    expect(redactor.prepare("a".repeat(LENGTH))).toBeInstanceOf(Promise);
  });

  it("that were prepared are forgotten when a new secret is known", async () => {
    const redactor = createRedactor();
    const text = `${"a".repeat(LENGTH)} new-secret-value`;
    await redactor.prepare(text);
    redactor.add("new-secret-value");
    expect(redactor.redact(text)).toContain("[redacted]");
  });
});
