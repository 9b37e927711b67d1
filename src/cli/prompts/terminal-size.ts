/** Some terminals do not know their size and say 0. What is wrapped to no width is one letter per line. */
export function assumeTerminalSize(): void {
  for (const output of [process.stdout, process.stderr]) {
    if (!output.isTTY) continue;
    if (output.columns < 2) output.columns = 80;
    if (output.rows < 2) output.rows = 24;
  }
}
