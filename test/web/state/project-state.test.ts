import { describe, expect, it } from "vitest";
import { activityOf } from "../../../web/src/state/run-activity.ts";
import { countBroken } from "../../../web/src/state/broken-definitions.ts";
import { unsentMessagesOf } from "../../../web/src/state/unsent-messages.ts";
import { projectName } from "../../../web/src/text/project-name.ts";

describe("[ui.project-switch] unsent messages", () => {
  it("belong to one target of one project, and are there when the person comes back", () => {
    const [shop, bank] = [unsentMessagesOf("/home/me/shop"), unsentMessagesOf("/home/me/bank")];
    shop.change("@review", { text: "For the shop" });
    expect(bank.get("@review").text).toBe("");
    expect(shop.get("alice").text).toBe("");
    bank.change("@review", { text: "For the bank", to: "alice" });
    expect(unsentMessagesOf("/home/me/shop").get("@review")).toMatchObject({ text: "For the shop", to: "" });
  });

  it("tell those who show them about a change, also one made by a request from before", () => {
    const unsent = unsentMessagesOf("/home/me/told");
    const seen: string[] = [];
    const stop = unsent.subscribe(() => seen.push(unsent.get("alice").text));
    unsent.change("alice", { text: "hello", sending: true });
    unsent.change("alice", { text: "", sending: false });
    stop();
    unsent.change("alice", { text: "more" });
    expect(seen).toEqual(["hello", ""]);
  });

  it("are named by the folder of their project", () => {
    expect([projectName("/home/me/shop/"), projectName("C:\\me\\bank")]).toEqual(["shop", "bank"]);
  });
});

describe("[ui.agents] what an agent does", () => {
  it("is not work while a person has to decide, whatever the state of the run", () => {
    const none = new Set<string>();
    expect(activityOf({ id: "run_1", state: "open" }, none)).toBe("at work");
    expect(activityOf({ id: "run_1", state: "open" }, new Set(["run_1"]))).toBe("waiting for you");
    expect(activityOf({ id: "run_1", state: "waiting" }, none)).toBe("waiting for you");
    expect(activityOf({ id: "run_1", state: "parked" }, new Set(["run_2"]))).toBe("parked");
  });

  it("is not known of an agent whose file is broken; the file is counted once", () => {
    const problem = { severity: "error", file: "a.yaml", line: 1, column: 1, message: "no" } as const;
    const warning = { ...problem, severity: "warning", file: "b.yaml" } as const;
    expect(countBroken([problem, { ...problem, line: 2 }, warning])).toBe(1);
  });
});
