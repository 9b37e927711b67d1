/** `npm test`: checks the requirements, then runs the tests, even if that check fails. Arguments go to vitest. */
import { runCommand } from "./run-command.ts";

const requirements = await runCommand(["node", "scripts/check-requirements.ts", "--list"], { show: true });
const tests = await runCommand(["vitest", "run", ...process.argv.slice(2)], { show: true });
if (!requirements.ok || !tests.ok) process.exitCode = 1;
