/** The name of the variable in `$NAME`, `${NAME}` or `${{ env.NAME }}`, or undefined for anything else. */
export function environmentReference(text: string): string | undefined {
  const match = /^\$(?:([A-Za-z_]\w*)|\{([A-Za-z_]\w*)\}|\{\{\s*env\.([A-Za-z_]\w*)\s*\}\})$/u.exec(text.trim());
  return match?.[1] ?? match?.[2] ?? match?.[3];
}

export function isEnvironmentName(text: string): boolean {
  return /^[A-Za-z_]\w*$/u.test(text);
}

/** Whether a variable or header of this name usually holds a secret. */
export function holdsSecret(name: string): boolean {
  return /(?:^|[_-])(?:key|token|secret|password|passwd|authorization|credentials?)$/iu.test(name);
}
