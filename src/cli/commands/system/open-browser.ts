import { spawn } from "node:child_process";
import { once } from "node:events";

/**
 * Opens a URL in the program that `BROWSER` names, or in the default browser of the system. Never through a shell.
 * Returns false when there is none, as in a remote login.
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
