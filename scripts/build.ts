import { spawnSync } from "node:child_process";
import { cpSync, globSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { writeBuildHash } from "../bin/quick/build-hash.mts";
import { bundleCommands } from "../bin/quick/bundle-commands.mts";
import { DEFINITION_KINDS, jsonSchema } from "../src/files/definitions/schema/json-schema.ts";
import { bundlePackages } from "./bundle-packages.ts";
import { bundleWeb } from "./bundle-web.ts";

/**
 * Builds `dist/`, the content of the package: compiled sources with their types, and the files that they read at run
 * time, which are migrations, the price list and the web page. The JSON Schemas are for other tools. A checkout runs from its sources, so only packing needs this.
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
mkdirSync(join(root, "dist/schemas"));
for (const kind of DEFINITION_KINDS) {
  writeFileSync(join(root, `dist/schemas/${kind}.json`), `${JSON.stringify(jsonSchema(kind), null, 2)}\n`);
}
await bundleCommands("dist");
await bundlePackages();
cpSync(await bundleWeb(), join(root, "dist/web"), { recursive: true });
writeBuildHash("dist");
