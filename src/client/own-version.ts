/** Where `bin/quick/build-hash.mts` writes the hash of this build: in a checkout, or in the package. */
const BUILD_FILE = import.meta.url.endsWith(".ts")
  ? "../../node_modules/.cache/agent-worker/build.json"
  : "../bundles/build.json";

/**
 * The version of this package with the hash of its build: `0.1.0 (ab12cd34)`. Two builds of one number have different
 * hashes. Only the number in a checkout that was never prepared.
 */
export function ownVersion(): string {
  const number = textIn("../../package.json", "version") ?? "";
  const hash = textIn(BUILD_FILE, "hash");
  return hash === undefined ? number : `${number} (${hash})`;
}

function textIn(file: string, key: string): string | undefined {
  const { readFileSync } = process.getBuiltinModule("node:fs");
  try {
    const content: unknown = JSON.parse(readFileSync(new URL(file, import.meta.url), "utf8"));
    return typeof content === "object" && content !== null ? Reflect.get(content, key) : undefined;
  } catch {
    return undefined;
  }
}
