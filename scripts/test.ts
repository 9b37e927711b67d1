/**
 * `npm test`: checks the requirements, then runs the tests, even if that check fails. The bundles are written first, so
 * that the tests run the commands as a fresh clone has them. Arguments go to vitest.
 */
import { runCommand } from "./run-command.ts";

const requirements = await runCommand(["node", "scripts/check-requirements.ts", "--list"], { show: true });
const bundles = await runCommand(["node", "bin/quick/bundle-commands.mts"], { show: true });
const tests = await runCommand(["vitest", "run", ...process.argv.slice(2)], { show: true });
if (!requirements.ok || !bundles.ok || !tests.ok) process.exitCode = 1;
