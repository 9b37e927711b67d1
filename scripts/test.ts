/** `npm test`: where we stand with the requirements, then the tests. Arguments go to vitest. Both run, either may fail. */
import { runCommand } from "./run-command.ts";

const requirements = await runCommand(["node", "scripts/check-requirements.ts", "--list"], { show: true });
const tests = await runCommand(["vitest", "run", ...process.argv.slice(2)], { show: true });
if (!requirements.ok || !tests.ok) process.exitCode = 1;
