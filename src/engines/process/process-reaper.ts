import { spawn } from "node:child_process";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Writable } from "node:stream";

/**
 * Leaves no orphans. A process of its own, one for each process that starts others, is told of every process group and
 * holds the other end of a pipe: when that closes, because its parent has ended or was killed, it kills the groups it
 * still knows of and removes the folder of temporary files. It is a shell because that costs a megabyte where Node
 * costs forty. Its life is that of the process, so there is nothing to open or close, and it keeps nothing alive.
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

/** From now until it is disposed, the group of this leader ends with this process, however that ends. */
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

/** A folder only this user can enter, that is gone soon after this process is. */
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

/** Without a keeper the work goes on; only an orphan may be left then. The next thing to tell starts another one. */
function start(): void {
  const reaper = spawn("sh", ["-c", PROGRAM], { cwd: "/", detached: true, stdio: ["pipe", "ignore", "ignore"] });
  // Without descriptors there is no stream either.
  const stdin: Writable | undefined = reaper.stdin;
  const lose = (): void => {
    if (pipe === stdin) pipe = undefined;
  };
  reaper.once("error", lose).once("exit", lose);
  reaper.unref();
  if (stdin === undefined) return;
  stdin.on("error", lose);
  pipe = stdin;
  for (const leader of groups) stdin.write(`hold ${leader}\n`);
  folder?.then(
    (path) => void stdin.write(`folder ${path}\n`),
    () => {},
  );
}
