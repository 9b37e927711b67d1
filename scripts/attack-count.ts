import type { Reporter, TestModule } from "vitest/node";

/** Prints how many attacks of `test/security/` were tried and how many the product held, at the end of the tests. */
export default class AttackCount implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const attacks = modules
      .filter(({ moduleId }) => /[\\/]test[\\/]security[\\/]/.test(moduleId))
      .flatMap((module) => [...module.children.allTests()])
      .filter(({ name }) => name.startsWith("attack: "));
    if (attacks.length === 0) return;
    const held = attacks.filter((attack) => attack.result().state === "passed");
    console.log(`security: ${attacks.length} attacks tried, ${held.length} held`);
  }
}
