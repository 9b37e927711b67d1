import { spawn } from "node:child_process";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Writable } from "node:stream";

/**
 * Ends child processes when this process is killed. The reaper is a separate process, one for each process that starts
 * others. It gets every process group over a pipe. When the pipe closes, because its parent has ended or was killed, it
 * kills the remaining groups and removes the folder of temporary files. It is a shell because that needs one megabyte
 * where Node needs forty. It ends with this process, so nothing has to close it, and this process does not wait for it.
 */
const PROGRAM = `
trap '' HUP INT TERM
groups=' '
folder=
while read -r verb value; do
  case $verb in
    hold) groups="$groups$value " ;;
    free) groups="\${groups%% $value *} \${groups#* $value }" ;;
    folder) folder=$value ;;
  esac
done
for group in $groups; do kill -s KILL -- "-$group" 2>/dev/null; done
[ -z "$folder" ] || rm -rf -- "$folder"
`;

const groups = new Set<number>();
let folder: Promise<string> | undefined;
let pipe: Writable | undefined;

/** Until it is disposed, the group of this leader is killed when this process ends, however it ends. */
export function holdGroup(leader: number | undefined): Disposable {
  if (leader === undefined) return { [Symbol.dispose]: () => {} };
  groups.add(leader);
  send(`hold ${leader}`);
  return {
    [Symbol.dispose]: () => {
      if (groups.delete(leader)) send(`free ${leader}`);
    },
  };
}

/** A folder only for this user, removed soon after this process has ended. */
export function temporaryRoot(): Promise<string> {
  folder ??= mkdtemp(join(tmpdir(), "agent-worker-")).then(
    (path) => {
      send(`folder ${path}`);
      return path;
    },
    (error: unknown) => {
      folder = undefined;
      throw error;
    },
  );
  return folder;
}

function send(line: string): void {
  if (pipe === undefined) start();
  else pipe.write(`${line}\n`);
}

/** After so many, something is wrong that another one would not mend. */
const MOST_RESTARTS = 20;
let restarts = 0;

/** Starts the reaper, and another when it is killed. If that fails, orphans may be left; the next message tries again. */
function start(): void {
  const reaper = spawn("sh", ["-c", PROGRAM], { cwd: "/", detached: true, stdio: ["pipe", "ignore", "ignore"] });
  // Without free descriptors there is no stream.
  const stdin: Writable | undefined = reaper.stdin;
  const lose = (): void => {
    if (pipe === stdin) pipe = undefined;
  };
  reaper.once("error", lose).once("exit", () => {
    const isCurrent = pipe === stdin;
    lose();
    if (!isCurrent || groups.size === 0 || restarts >= MOST_RESTARTS) return;
    restarts += 1;
    start();
  });
  reaper.unref();
  if (stdin === undefined) return;
  // The end of the reaper says the same, later: then another one is started.
  stdin.on("error", () => {});
  pipe = stdin;
  for (const leader of groups) stdin.write(`hold ${leader}\n`);
  folder?.then(
    (path) => void stdin.write(`folder ${path}\n`),
    () => {},
  );
}
