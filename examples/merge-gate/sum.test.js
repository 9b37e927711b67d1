import { equal } from "node:assert/strict";
import { test } from "node:test";
import { sum } from "./sum.js";

test("numbers are added", () => equal(sum([1, 2, 3]), 6));
