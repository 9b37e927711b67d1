import { expect, test } from "vitest";
import { addNotice, withoutFailures, type Notice } from "../../../web/src/state/notices.ts";

const notice = (id: number, kind: Notice["kind"], at: number): Notice => ({ id, text: `notice ${id}`, kind, at });

test("a failure leaves with its view, and when something succeeds after it could be read", () => {
  const failed = [notice(1, "bad", 0), notice(2, "bad", 9_000)];
  expect(addNotice(failed, notice(3, "good", 10_000)).map(({ id }) => id)).toEqual([2, 3]);
  expect(addNotice(failed, notice(3, "bad", 10_000)).map(({ id }) => id)).toEqual([1, 2, 3]);
  expect(withoutFailures([...failed, notice(3, "good", 0)]).map(({ id }) => id)).toEqual([3]);
});
