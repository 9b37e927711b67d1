/** The version of this package. */
export function ownVersion(): string {
  const { readFileSync } = process.getBuiltinModule("node:fs");
  const manifest: unknown = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
  return typeof manifest === "object" && manifest !== null && "version" in manifest ? String(manifest.version) : "";
}
