import { spawn } from "node:child_process";
import { once } from "node:events";

/**
 * Shows an address in the person's browser: the program `BROWSER` names, or what the system opens addresses with. Never
 * through a shell. Answers false when there is none, as on a machine somebody has logged in to from afar.
 */
export async function openBrowser(
  url: string,
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform = process.platform,
): Promise<boolean> {
  const [program, ...args] = openerOf(env, platform);
  if (program === undefined) return false;
  try {
    const child = spawn(program, [...args, url], { env, stdio: "ignore", detached: true });
    await once(child, "spawn");
    child.unref();
    return true;
  } catch {
    return false;
  }
}

function openerOf(env: Readonly<Record<string, string | undefined>>, platform: NodeJS.Platform): string[] {
  const { BROWSER = "", DISPLAY = "", WAYLAND_DISPLAY = "" } = env;
  if (BROWSER !== "") return [BROWSER];
  if (platform === "darwin") return ["open"];
  if (platform === "win32") return ["rundll32", "url.dll,FileProtocolHandler"];
  return DISPLAY + WAYLAND_DISPLAY === "" ? [] : ["xdg-open"];
}
