import { refuse, type Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";

/**
 * The origin of a skill, as a person writes it: `owner/repo[/path][@ref]` on GitHub, the address of a Git repository
 * (`https`, `ssh`, `file`) followed by `@ref`, `#ref` or `#ref:path`, or a folder (`./x`, `/x`, `~/x`).
 */
export type SkillSource =
  | { readonly kind: "folder"; readonly path: string }
  | {
      readonly kind: "git";
      readonly url: string;
      /** Null: the default branch of the repository. */
      readonly ref: string | null;
      /** Folder in the repository; empty for its root. */
      readonly path: string;
      /** Name of a skill in the root. */
      readonly name: string;
    };

const SHORT = /^(\w[\w.-]*)\/([\w.-]+)((?:\/[^/@\s]+)*)\/?(?:@(\S+))?$/;
const SCP = /^[\w.-]+@[\w.-]+:[^\s#:]+$/;
const REF = /^(?!.*(?:\.\.|\/\/|@\{))[A-Za-z0-9][\w./+-]{0,199}$/;

export function parseSkillSource(text: string): Result<SkillSource, Refusal> {
  const source = text.trim();
  if (/^(?:\.{1,2}$|\.{1,2}\/|\/|~\/)/.test(source)) return ok({ kind: "folder", path: source });
  const short = SHORT.exec(source);
  if (short !== null && !source.includes(":")) {
    const [, owner = "", repo = "", path = "", ref] = short;
    return gitSource(text, `https://github.com/${owner}/${repo.replace(/\.git$/, "")}.git`, ref, path.slice(1));
  }
  const [address = "", fragment] = source.split(/#(.*)/s);
  const [url, refAfterPath] = fragment === undefined ? splitRef(address) : [address];
  const [ref = refAfterPath, path] = fragment?.split(/:(.*)/s) ?? [];
  if (SCP.test(url)) return gitSource(text, url, ref, path);
  const parsed = URL.parse(url);
  if (parsed === null || !["https:", "ssh:", "file:"].includes(parsed.protocol)) return refuseSource(text);
  if (parsed.password !== "" || (parsed.username !== "" && parsed.protocol !== "ssh:")) {
    return refuse("invalid", "The address holds a user name or a password.", {
      hint: "Let Git find them: set up a credential helper, or use ssh.",
    });
  }
  return gitSource(text, url, ref, path);
}

/** `https://host/repo@v1` means what `owner/repo@v1` means: the part after the last folder is the ref. */
function splitRef(address: string): readonly [url: string, ref?: string] {
  const [, url, ref] = /^([a-z]+:\/\/.*\/[^/@]+)@([^/@]+)$/i.exec(address) ?? [];
  return url === undefined || ref === undefined ? [address] : [url, ref];
}

function gitSource(text: string, url: string, ref: string | undefined, path = ""): Result<SkillSource, Refusal> {
  const folder = path.replaceAll(/^\/+|\/+$/g, "");
  const name = /([^/:]+?)(?:\.git)?\/*$/.exec(url)?.[1] ?? "skill";
  const badPath = folder.split("/").some((part) => part === ".." || part === "." || (part === "" && folder !== ""));
  if (badPath || (ref !== undefined && ref !== "" && !REF.test(ref)) || url.startsWith("-")) return refuseSource(text);
  return ok({ kind: "git", url, ref: ref === undefined || ref === "" ? null : ref, path: folder, name });
}

function refuseSource(text: string): Result<never, Refusal> {
  return refuse("invalid", `"${text.slice(0, 200)}" is not a source of skills.`, {
    hint: "Write owner/repo[/path][@ref], an https, ssh or file address of a Git repository[#ref[:path]], or a folder such as ./skills/x.",
  });
}
