import { spawnSync } from "node:child_process";
import { cpSync, globSync, mkdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { bundleCommands } from "../bin/quick/bundle-commands.mts";
import { bundleWeb } from "./bundle-web.ts";

/**
 * Makes `dist/`, which is what the package ships: compiled sources with their types, and beside them the files the
 * sources read at run time: migrations, and the web page. In the repository the sources run as they are, so nothing but packing needs this.
 */
const root = join(import.meta.dirname, "..");
rmSync(join(root, "dist"), { recursive: true, force: true });
const { status } = spawnSync(
  process.execPath,
  [join(root, "node_modules/typescript/bin/tsc"), "-p", "tsconfig.build.json"],
  {
    cwd: root,
    stdio: "inherit",
  },
);
if (status !== 0) process.exit(status ?? 1);
for (const file of globSync("**/*.sql", { cwd: join(root, "src") })) {
  const target = join(root, "dist", file);
  mkdirSync(dirname(target), { recursive: true });
  cpSync(join(root, "src", file), target);
}
await bundleCommands("dist");
cpSync(await bundleWeb(), join(root, "dist/web"), { recursive: true });
