import { describe, expect, it } from "vitest";
import { mayMatchName } from "../../../src/domain/agent/shell-pattern.ts";

describe("a pattern of a shell", () => {
  it.each([
    [".e?v", ".env"],
    [".en[v]", ".env"],
    [".en[!a]", ".env"],
    [".en[[:alpha:]]", ".env"],
    ["*", "a"],
    ["*.p*m", "server.pem"],
    ["a**b", "axxb"],
    ["a[b", "a[b"],
    ["*ab", "aab"],
  ])("%s may mean %s", (pattern, name) => {
    expect(mayMatchName(pattern, name)).toBe(true);
  });

  it.each([
    [".e?v", ".ev"],
    ["*.ts", "a.tsx"],
    ["a.c", "abc"],
    ["", "a"],
    ["a*b", "a"],
  ])("%s does not mean %s", (pattern, name) => {
    expect(mayMatchName(pattern, name)).toBe(false);
  });

  it("takes no time that grows with every star", () => {
    expect(mayMatchName(`${"*a".repeat(100)}*b`, "a".repeat(255))).toBe(false);
  });
});
