/** Returns the values of environment variables whose name says that they are secret. */
export function secretsIn(env: Readonly<Record<string, string | undefined>>): string[] {
  return Object.entries(env).flatMap(([name, value]) =>
    value !== undefined && /(KEY|TOKEN|SECRET|PASSWORD|CREDENTIAL)S?$/i.test(name) ? [value] : [],
  );
}
