import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readArrival } from "../../../web/src/connection/fragment.ts";
import { addressOf, placeAt, type Place } from "../../../web/src/state/place.ts";

describe("the address of the page", () => {
  it("brings a code and a project once, and is otherwise the page's own [ui.token]", () => {
    expect(readArrival("http://127.0.0.1:1/#code=awc_x&project=%2Fa%20b")).toEqual({ code: "awc_x", project: "/a b" });
    expect(readArrival("#code=awc_x")).toEqual({ code: "awc_x", project: undefined });
    for (const address of ["", "#", "#/channel/@review", "#project=/a", "http://127.0.0.1:1/", "#/x?code=1"]) {
      expect(readArrival(address), address).toBeUndefined();
    }
  });

  it("says what is shown, and leads back to it", () => {
    const name = fc.string({ minLength: 1 });
    const place: fc.Arbitrary<Place> = fc.oneof(
      fc.constantFrom<Place>({ view: "overview" }, { view: "decisions" }, { view: "runs", target: undefined }),
      name.map((space) => ({ view: "channel", space }) as const),
      fc.record({ view: fc.constant("documents" as const), space: name, file: fc.option(name, { nil: undefined }) }),
      name.map((agent) => ({ view: "agent", agent }) as const),
      name.map((target) => ({ view: "runs", target }) as const),
      name.map((run) => ({ view: "run", run }) as const),
    );
    fc.assert(
      fc.property(place, (there) => {
        expect(placeAt(addressOf(there))).toEqual(there);
      }),
    );
  });

  it("leads to the overview when it leads nowhere", () => {
    for (const hash of ["", "#", "#/nothing/x", "#/channel", "#/channel/", "#/run", "#/%E0%A4%A"]) {
      expect(placeAt(hash), hash).toEqual({ view: "overview" });
    }
  });
});
