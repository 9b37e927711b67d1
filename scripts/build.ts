import { spawnSync } from "node:child_process";
import { cpSync, globSync, mkdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { writeBuildHash } from "../bin/quick/build-hash.mts";
import { bundleCommands } from "../bin/quick/bundle-commands.mts";
import { bundlePackages } from "./bundle-packages.ts";
import { bundleWeb } from "./bundle-web.ts";

/**
 * Builds `dist/`, the content of the package: compiled sources with their types, and the files that they read at run
 * time, which are migrations, the price list and the web page. A checkout runs from its sources, so only packing needs this.
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
for (const file of globSync("**/*.{sql,json}", { cwd: join(root, "src") })) {
  const target = join(root, "dist", file);
  mkdirSync(dirname(target), { recursive: true });
  cpSync(join(root, "src", file), target);
}
await bundleCommands("dist");
await bundlePackages();
cpSync(await bundleWeb(), join(root, "dist/web"), { recursive: true });
writeBuildHash("dist");
