import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Adds agents `b1`, `b2`, … to a project, as files of the usual size. */
export function writeManyAgents(project: string, count: number): void {
  mkdirSync(join(project, ".agents"), { recursive: true });
  const prompt = "Read what you are asked, look at the files it is about, and answer in a few sentences. ".repeat(4);
  for (let number = 1; number <= count; number += 1) {
    const name = `b${number}`;
    const text = `name: ${name}\nbackend: mock\nprompt:\n  system: ${prompt}\nsoul:\n  role: member ${number}\n`;
    writeFileSync(join(project, ".agents", `${name}.yaml`), text);
  }
}
