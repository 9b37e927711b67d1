/** Values of the environment that are secrets by their name: they never reach a file of ours. */
export function secretsIn(env: Readonly<Record<string, string | undefined>>): string[] {
  return Object.entries(env).flatMap(([name, value]) =>
    value !== undefined && /(KEY|TOKEN|SECRET|PASSWORD|CREDENTIAL)S?$/i.test(name) ? [value] : [],
  );
}
