import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { LOOK, MODELS, PARTNERS, PASS, STEP_AGENTS, SYSTEM, type Setup } from "./setup.ts";

export function foldersIn(folder: string): { readonly home: string; readonly project: string } {
  return { home: join(folder, "home"), project: join(folder, "project") };
}

/** Agents for every kind of run, each with the two tools, and a workflow of two that hand over to each other. */
export function writeProject({ folder, url, agents }: Setup): void {
  const { project } = foldersIn(folder);
  mkdirSync(join(project, ".agents"), { recursive: true });
  mkdirSync(join(project, ".workflows"), { recursive: true });
  const write = (name: string, model: string): void => {
    const provider = `{ name: openai-compatible, base_url: "${url}", api_key: $BENCH_KEY }`;
    const tools = `[${LOOK.name}, ${PASS.name}]`;
    const text = `name: ${name}\nmodel: ${model}\nprovider: ${provider}\ntools: ${tools}\nprompt: { system: "${SYSTEM}" }\n`;
    writeFileSync(join(project, ".agents", `${name}.yaml`), text);
  };
  for (const kind of ["first", "held"] as const) write(kind, MODELS[kind]);
  for (let i = 1; i <= STEP_AGENTS; i += 1) write(`steps${i}`, MODELS.steps);
  for (const name of PARTNERS) write(name, MODELS.hops);
  for (let i = 1; i <= agents; i += 1) write(`a${i}`, MODELS.many);
  const entries = PARTNERS.map((name) => `  ${name}: { ref: ${name} }\n`).join("");
  writeFileSync(
    join(project, ".workflows", "pair.yaml"),
    `name: pair\nagents:\n${entries}kickoff: "@ping hop 0 is done, go on"\n`,
  );
  writeFileSync(join(project, "moniro.yaml"), "defaults:\n  budget: { hops: 100000, turns: 100000 }\n");
}
