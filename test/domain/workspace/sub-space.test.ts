import { describe, expect, it } from "vitest";
import { displaySpace, formatSpace, parseSpace } from "../../../src/domain/message/space.ts";
import { formatTarget, parseTarget, targetSpace } from "../../../src/domain/message/target.ts";
import { mailboxOf } from "../../../src/domain/delivery/mailbox.ts";
import { isSubSpace, workspaceOf } from "../../../src/domain/workspace/sub-space.ts";
import { value } from "../../support/result.ts";

describe("a sub-space", () => {
  it.each([
    ["@review/design", "@review:main/design", "@review/design"],
    ["@review:main/design", "@review:main/design", "@review/design"],
    ["@review:pr-1/design", "@review:pr-1/design", "@review:pr-1/design"],
    ["alice@review/design", "@review:main/design", "alice@review/design"],
    ["@review/design~2", "@review:main/design~2", "@review/design~2"],
  ])("is addressed as %s", (written, key, shown) => {
    const target = value(parseTarget(written));
    const space = targetSpace(target);
    expect(formatSpace(space)).toBe(key);
    expect(formatTarget(target)).toBe(shown);
    expect(value(parseSpace(key))).toEqual(space);
    expect(displaySpace(space)).toBe(shown.slice(shown.indexOf("@")));
  });

  it.each(["@review/", "@review/a/b", "@review:pr-1/", "@review/1a", "@/design", "@review/a b", "alice/design"])(
    "is not %s",
    (written) => expect(parseTarget(written).ok).toBe(false),
  );

  it("belongs to its workspace, with the mailboxes of that", () => {
    expect(workspaceOf("@review:main/design")).toBe("@review:main");
    expect(workspaceOf("@review:main/design~2")).toBe("@review:main~2");
    expect(workspaceOf("@review:main~2")).toBe("@review:main~2");
    expect(workspaceOf("alice")).toBe("alice");
    expect(isSubSpace("@review:main")).toBe(false);
    expect(mailboxOf("helper", null, "@review:main/design")).toBe("helper@review:main");
    expect(mailboxOf("helper", null, "@review:main/design~2")).toBe("helper@review:main");
  });
});
