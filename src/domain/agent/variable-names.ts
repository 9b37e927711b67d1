import { refuse, type Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";

/**
 * Environment variables that a definition must not set, because a definition may come from a stranger: they make a
 * program load code, start another program, talk to another address, trust another certificate, or take its settings
 * and its login from another place. `*` is any text; the case of letters does not matter.
 *
 * This is the only table. It is used where files are checked, and again where a process is started.
 */
const RESERVED: readonly (readonly [what: string, names: string])[] = [
  [
    "makes a program load code or start another one",
    "NODE_* LD_* DYLD_* BASH_* ENV SHELLOPTS BASHOPTS PS4 PROMPT_COMMAND IFS CDPATH ZDOTDIR SHELL COMSPEC " +
      "PYTHON* PERL* RUBY* GEM_* BUNDLE_* JAVA_* _JAVA_OPTIONS JDK_* CLASSPATH LUA_* PHP* DOTNET_* COREHOST_* " +
      "NPM_CONFIG_* PNPM_* YARN_* BUN_* DENO_* PIP_* UV_* CARGO_* RUSTC_* RUSTC RUSTFLAGS GOFLAGS GOROOT GOPATH GOENV GOTOOLCHAIN MAKEFLAGS MAKEFILES " +
      "GIT_* SSH_* SUDO_* *_ASKPASS *EDITOR VISUAL *PAGER *BROWSER LESSOPEN LESSCLOSE VIMINIT EXINIT " +
      "GCONV_PATH LOCPATH GLIBC_* MALLOC_* KUBECONFIG DOCKER_* PARALLEL COVERAGE_PROCESS_START IPYTHONDIR",
  ],
  ["gives a program more options", "*FLAGS *OPTS *_OPTIONS *_ARGS TF_CLI_*"],
  [
    "names a program that another one starts",
    "*COMMAND *_CMD *_RSH *_SSH *_SH *_SHELL *_HOOK *_EXTERNAL_DIFF *_BIN *_BINARY *_BINARY_PATH *_EXECUTABLE " +
      "*_EXECUTABLE_PATH *EXECPATH GH_PATH CHROME_PATH PYSPARK_* ELECTRON_*",
  ],
  [
    "chooses a compiler or what it loads",
    "CC CXX CPP LD AR AS NM FC RANLIB STRIP OBJCOPY *_COMPILER *_LAUNCHER *_LINKER *_TOOLCHAIN_FILE PKG_CONFIG* " +
      "COMPILER_PATH GCC_* CCACHE_* SCCACHE_* CMAKE_* CGO_* RUSTDOC* TS_NODE_* NIX_*",
  ],
  [
    "makes a program load a library, a plugin or a module",
    "*_LOAD_PATH *_DEPOT_PATH *_LIBRARY_PATH *_LIBRARY *_LIBRARIES *LIBPATH *_PLUGIN *_PLUGINS *_PLUGIN_* *_MODULES *_MODULE_PATH " +
      "*_MODULE_FILE *_SETTINGS_MODULE *_LAYER_PATH *_HOOK_PATH *_SYMBOLIZER_PATH *_INJECTION*_PATH *_PROFILER* " +
      "CORECLR_* ERL_* AWKPATH GTK_PATH QT_PLUGIN_PATH SASL_PATH PRISMA_*",
  ],
  ["is a file that a program runs when it starts", "*RC R_PROFILE* R_ENVIRON*"],
  ["changes where programs are found", "PATH PATHEXT SYSTEMROOT WINDIR"],
  ["sends requests through another computer", "*_PROXY GOPROXY PROXY"],
  [
    "changes which servers are trusted",
    "SSL_* SSLKEYLOGFILE OPENSSL_* *_CA *_CA_* *_CACERT* *_CAFILE* *_CAINFO* *_CAPATH*",
  ],
  [
    "changes where requests are sent, and with them a login",
    "*_BASE_URL *_BASEURL *_API_BASE *_ENDPOINT *_ENDPOINT_URL *_ENDPOINT_URL_* *_CUSTOM_HEADERS " +
      "*_UNIX_SOCKET OTEL_* *_URL *_HOST *_ADDR *_BUS_ADDRESS *_REGISTRY *_SERVER *_MIRROR PGHOST* PGSERVICE* " +
      "HOSTALIASES LOCALDOMAIN",
  ],
  [
    "changes where settings and logins are read",
    "HOME HOMEDRIVE HOMEPATH USERPROFILE APPDATA LOCALAPPDATA TMPDIR TEMP TMP XDG_* *_HOME *_CONFIG_DIR *_CONFIG_FILE " +
      "*_CONFIG_PATH *_CONFIG *_SETTINGS_PATH GNUPGHOME GOOGLE_APPLICATION_CREDENTIALS AWS_SHARED_CREDENTIALS_FILE AWS_CONTAINER_* " +
      "AWS_WEB_IDENTITY_* CLOUDSDK_* HGRCPATH PGPASSFILE PGSYSCONFDIR",
  ],
  [
    "belongs to agent-worker or to the program of an engine",
    "AGENT_WORKER_* CLAUDE_* CLAUDECODE CODEX_* OPENCODE_* CURSOR_*",
  ],
];

/** Variables that the table would include, and that do nothing of the kind: most are settings of the application itself. */
const HARMLESS =
  "NODE_ENV NODE_DEBUG NODE_NO_WARNINGS GIT_AUTHOR_NAME GIT_AUTHOR_EMAIL GIT_COMMITTER_NAME GIT_COMMITTER_EMAIL " +
  "FEATURE_FLAGS SRC *_SRC HOST APP_HOST APP_URL APP_CONFIG PUBLIC_URL SITE_URL DATABASE_URL DATABASE_HOST DB_URL DB_HOST " +
  "REDIS_URL REDIS_HOST";

const rows = RESERVED.map(([what, names]) => ({ what, names: anyOf(names) }));
const harmless = anyOf(HARMLESS);

/**
 * Refuses a variable that a definition must not set to this value. The value of the same variable in the daemon's
 * environment is allowed (`HTTPS_PROXY: $HTTPS_PROXY`): a person chose it.
 */
export function checkVariable(name: string, value: string): Result<void, Refusal> {
  if (!/^[A-Za-z_]\w*$/.test(name)) {
    return refuse("invalid", `${JSON.stringify(name)} cannot be the name of an environment variable.`);
  }
  const row = harmless.test(name) ? undefined : rows.find(({ names }) => names.test(name));
  if (row === undefined || referenceIn(value) === name) return ok(undefined);
  return refuse("invalid", `"${name}" cannot be set by a definition: it ${row.what}.`, {
    hint: `Remove it, or set ${name} for the daemon and write ${name}: $${name}.`,
  });
}

/** Returns the name of the variable in `$NAME`, `${NAME}` or `${{ env.NAME }}`; undefined for any other text. */
export function referenceIn(text: string): string | undefined {
  const match = /^\$(?:([A-Za-z_]\w*)|\{([A-Za-z_]\w*)\}|\{\{\s*env\.([A-Za-z_]\w*)\s*\}\})$/u.exec(text.trim());
  return match?.[1] ?? match?.[2] ?? match?.[3];
}

function anyOf(names: string): RegExp {
  const each = names.split(" ").map((name) => name.split("*").map(RegExp.escape).join(".*"));
  return new RegExp(`^(?:${each.join("|")})$`, "i");
}
