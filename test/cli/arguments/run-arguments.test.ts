import { describe, expect, it } from "vitest";
import type { Client } from "../../../src/client/client.ts";
import { withVariables } from "../../../src/cli/arguments/run-arguments.ts";
import { Refused } from "../../../src/cli/refused.ts";
import { err, ok, type Result } from "../../../src/kernel/result.ts";
import type { Refusal } from "../../../src/kernel/refusal.ts";

const ENV = { MYVAR: "mine", GIT_DIR: "d", GITX: "no", AWS_SECRET_ACCESS_KEY: "no" };

/** A daemon that answers the question for names like this, and is sent nothing else. */
function answering(answer: Result<{ names: string[] }, Refusal>): Pick<Client, "call"> {
  return { call: (async () => answer) as unknown as Client["call"] };
}

describe("the variables of a start", () => {
  it("are those that the daemon names, by name or by beginning [starts.consent-first]", async () => {
    const client = answering(ok({ names: ["MYVAR", "GIT_*", "UNSET"] }));
    const request = await withVariables(client, { workflow: "w" }, ENV);
    expect(request).toEqual({ workflow: "w", env: { MYVAR: "mine", GIT_DIR: "d" } });
  });

  it("stay here while nobody has allowed the workflow [starts.consent-first]", async () => {
    const client = answering(err({ code: "untrusted", message: "The workflow w rests." }));
    await expect(withVariables(client, { workflow: "w" }, ENV)).rejects.toThrow(Refused);
  });

  it("are not sent for a name that is no workflow", async () => {
    const client = answering(err({ code: "not_found", message: "There is no workflow." }));
    expect(await withVariables(client, { workflow: "alice" }, ENV)).toEqual({ workflow: "alice" });
  });
});
