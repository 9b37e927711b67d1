import { expect, expectTypeOf, it } from "vitest";
import type { Api, ApiInput, ApiOutput } from "../../../src/client/api.ts";
import { operationRequest } from "../../../src/client/operation-request.ts";
import { operations } from "../../../src/operations/core/registry.ts";
import { requestFor } from "../../../web/src/connection/operation-request.ts";
import type { Operations } from "../../../web/src/connection/operations.ts";
import { value } from "../../support/result.ts";

/** Names of operations whose input the page may give something that the daemon does not take. */
type Misasked = {
  [Name in keyof Operations & keyof Api]: Operations[Name]["input"] extends ApiInput<Name> ? never : Name;
}[keyof Operations & keyof Api];
/** Names of those of whose answer the page reads something that is not in it. */
type Misread = {
  [Name in keyof Operations & keyof Api]: ApiOutput<Name> extends Operations[Name]["output"] ? never : Name;
}[keyof Operations & keyof Api];

it("the page asks for operations that exist, as the daemon takes and answers them", () => {
  expectTypeOf<Exclude<keyof Operations, keyof Api>>().toEqualTypeOf<never>();
  expectTypeOf<Misasked>().toEqualTypeOf<never>();
  expectTypeOf<Misread>().toEqualTypeOf<never>();
});

it("the page and the client ask for every operation in the same way", () => {
  for (const { name } of operations) {
    const fields = ["id", "key", "name", "agent", "file", "from", "number", "target"];
    const input = {
      ...Object.fromEntries(fields.map((field) => [field, `a/${field} &?`])),
      more: "1+1",
      none: undefined,
    };
    const { method, path, body } = requestFor(name, input);
    const wanted = value(operationRequest(name, input));
    const [place = "", query = ""] = path.split("?", 2);
    const [wantedPlace = "", wantedQuery = ""] = wanted.path.split("?", 2);
    expect([method, place]).toEqual([wanted.method, wantedPlace]);
    expect([...new URLSearchParams(query)]).toEqual([...new URLSearchParams(wantedQuery)]);
    expect(body).toEqual(wanted.body === undefined ? undefined : JSON.parse(wanted.body));
  }
});
