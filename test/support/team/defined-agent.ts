/** The file of an agent that plays `scripts/<script>.yaml`. */
export function definedAgent(name: string, script: string, more = ""): string {
  return `name: ${name}\nbackend: mock\nmodel: scripts/${script}.yaml\nprompt: { system: You are ${name}. }\n${more}`;
}

/** A script that says the same whenever it is asked. */
export function says(text: string): string {
  return `- repeat: true\n  steps: [{ say: ${text} }]\n`;
}
