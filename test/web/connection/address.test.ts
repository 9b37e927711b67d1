import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseSignInLink } from "../../../web/src/connection/sign-in-link.ts";
import { hrefOf, parseRoute, type Route } from "../../../web/src/state/route.ts";

describe("the address of the page", () => {
  it("brings a code and a project once, and is otherwise the page's own [ui.token]", () => {
    expect(parseSignInLink("http://127.0.0.1:1/#code=awc_x&project=%2Fa%20b")).toEqual({
      code: "awc_x",
      project: "/a b",
    });
    expect(parseSignInLink("#code=awc_x")).toEqual({ code: "awc_x", project: undefined });
    for (const address of ["", "#", "#/channel/@review", "#project=/a", "http://127.0.0.1:1/", "#/x?code=1"]) {
      expect(parseSignInLink(address), address).toBeUndefined();
    }
  });

  it("says what is shown, and leads back to it", () => {
    const name = fc.string({ minLength: 1 });
    const route: fc.Arbitrary<Route> = fc.oneof(
      fc.constantFrom<Route>({ view: "overview" }, { view: "decisions" }, { view: "runs", target: undefined }),
      name.map((space) => ({ view: "channel", space }) as const),
      fc.record({ view: fc.constant("channel" as const), space: name, message: fc.integer({ min: 1 }) }),
      fc.record({ view: fc.constant("documents" as const), space: name, file: fc.option(name, { nil: undefined }) }),
      name.map((agent) => ({ view: "agent", agent }) as const),
      name.map((target) => ({ view: "runs", target }) as const),
      name.map((run) => ({ view: "run", run }) as const),
    );
    fc.assert(
      fc.property(route, (there) => {
        expect(parseRoute(hrefOf(there))).toEqual(there);
      }),
    );
  });

  it("leads to the overview when it leads nowhere", () => {
    for (const hash of ["", "#", "#/nothing/x", "#/channel", "#/channel/", "#/run", "#/%E0%A4%A"]) {
      expect(parseRoute(hash), hash).toEqual({ view: "overview" });
    }
  });
});
