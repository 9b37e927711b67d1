import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkFileName } from "../../src/files/confined-path.ts";
import { revisionOf } from "../../src/files/documents/revision.ts";
import { openPostgresStore } from "../../src/storage/postgres/postgres-store.ts";
import { T0 } from "../../src/testing/store-conformance/records.ts";
import { storeConformance } from "../../src/testing/store-conformance/suite.ts";
import { startServer, type TestServer } from "../support/postgres/server.ts";

const rules = { checkName: checkFileName, revisionOf, now: () => T0 };
let server: TestServer;
beforeAll(async () => {
  server = await startServer();
}, 60_000);
afterAll(() => server[Symbol.asyncDispose]());

describe("the PostgreSQL store [store.conformance]", () => {
  it.each(storeConformance(() => openPostgresStore(server.freshUrl(), rules)))("$name", async ({ run }) => {
    await run();
  });
});
