import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

// `npm run campaign` sets CAMPAIGN; the ordinary suite leaves the long runs alone.
const campaign = process.env.CAMPAIGN === "1";

export default defineConfig({
  test: {
    environment: "node",
    reporters: ["default", "./scripts/attack-count.ts"],
    pool: "forks",
    // One core less, which is vitest's own choice, leaves half of a small machine idle.
    maxWorkers: availableParallelism(),
    // No test changes anything a later one could see but files and processes of its own, so modules are loaded once.
    isolate: false,
    include: ["test/**/*.test.ts"],
    exclude: ["**/node_modules/**", ...(campaign ? [] : ["test/campaign/**", "test/clis-real/**", "test/*/long/**"])],
    testTimeout: campaign ? 20 * 60_000 : 30_000,
    // Where nobody can look again, a test gets a second chance, and the report says that it needed one.
    retry: process.env.CI === undefined ? 0 : 1,
    hookTimeout: 30_000,
    teardownTimeout: 10_000,
  },
});
