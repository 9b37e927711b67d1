import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect } from "vitest";
import { startCommandedDaemon, type CommandedDaemon } from "../support/daemon/commanded-daemon.ts";
import { attack } from "../support/security/attack.ts";
import { KNOWN_SHAPES, tellingParts } from "../support/security/known-shapes.ts";

const ENVIRONMENT = {
  DB_PASSWORD: "hunter2",
  ADMIN_PASS: "tr0ub4",
  SHOP_API_KEY: "correct horse battery staple 42",
  RAILS_SECRET_KEY_BASE: "0f1e2d3c4b5a69788796a5b4c3d2e1f0",
  GOOGLE_APPLICATION_CREDENTIALS: "/srv/app/google.json",
  MAX_TOKENS: "128000",
  TEST_TOKEN: "changeme",
};

let daemon: CommandedDaemon;

beforeAll(async () => {
  daemon = await startCommandedDaemon({
    files: { ".agents/alice.yaml": "name: alice\nbackend: mock\nprompt: { system: Wait. }\n" },
    env: ENVIRONMENT,
  });
});

afterAll(() => daemon[Symbol.asyncDispose]());

/** Sends a message, and returns what the daemon stored of it. */
async function stored(message: string): Promise<string> {
  const sent = await daemon.client.call("send-message", { to: "alice", message });
  if (!sent.ok) throw new Error(sent.error.message);
  const page = await daemon.client.call("peek-channel", { target: "alice", limit: 500 });
  if (!page.ok) throw new Error(page.error.message);
  const [first] = page.value.messages.filter(({ id }) => id === sent.value.id);
  return first?.content ?? "";
}

/** Everything that is on disk of the project and of the daemon. */
function onDisk(): string {
  const folders = [join(daemon.project, ".workspace"), join(daemon.home, "logs")];
  return folders
    .flatMap((folder) => readdirSync(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "latin1"))
    .join("\n");
}

for (const [service, secret] of Object.entries(KNOWN_SHAPES)) {
  attack(`a message carries a secret into the store: ${service} [redaction.shapes]`, async () => {
    const parts = tellingParts(secret);
    expect(parts).not.toEqual([]);
    const left = await stored(`The key:\n${secret}\nis new.`);
    expect(left).toContain("[redacted]");
    for (const part of parts) expect(left).not.toContain(part);
  });
}

attack("a secret hides behind an escape of JSON or of an address [redaction.shapes]", async () => {
  const secret = KNOWN_SHAPES["GitHub, classic"] ?? "";
  for (const before of ["line\\n", "tab\\t", "?a=b%26c%3D", "'", "(", "=", "_", "\u200b", "中"]) {
    expect(await stored(`${before}${secret}`)).not.toContain("a1B2c3D4");
  }
});

attack("a secret of the environment is short [redaction.environment]", async () => {
  for (const [name, value] of Object.entries(ENVIRONMENT).slice(0, 4)) {
    expect(await stored(`It is "${value}", says ${name}.`)).toBe(`It is "[redacted]", says ${name}.`);
    expect(onDisk()).not.toContain(value);
  }
});

attack("the name of a variable makes a path, a number or a placeholder a secret [redaction.harmless]", async () => {
  const text = "Read /srv/app/google.json, at most 128000 tokens, and changeme stays.";
  expect(await stored(text)).toBe(text);
  expect(await stored("hunter2000 and xtr0ub4x are other words")).toBe("hunter2000 and xtr0ub4x are other words");
});

for (const text of [
  "cd $PWD && pwd=/srv/app/current",
  "OLDPWD=/home/me/project-2",
  'curl -H "Authorization: Bearer ${TOKEN}" https://api.example.com',
  "curl -H 'Authorization: Bearer $GITHUB_TOKEN2' https://api.example.com",
  "Authorization: Bearer <your-key>",
  "Authorization: Bearer {{ token_1 }}",
  'headers: { "Authorization": "Bearer ${token1}" }',
  "export API_KEY=your_api_key_here",
  "OPENAI_API_KEY=your-openai-api-key",
  "token=xxxxxxxxxxxxxxxxxxxx",
  "GITHUB_TOKEN=ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
  "api_key: sk-xxxxxxxxxxxxxxxxxxxxxxxx",
  "password=changeme",
  "password=********",
  "token=process.env.GITHUB_TOKEN_2",
  "apiKey: process.env.OPENAI_API_KEY1,",
  "password=${DB_PASSWORD}&user=me",
  "postgres://app:${DB_PASSWORD}@db:5432/app",
  "password=/run/secrets/db_password",
  "commit 3f786850e387550fdab836ed7e6dc881de23001b",
  "run 123e4567-e89b-12d3-a456-426614174000",
  '{"integrity": "sha512-Zm9vYmFyMTIzNDU2Nzg5MA=="}',
  "AKIAIOSFODNN7EXAMPLE",
  "connect(password=getpass(), token=make_token(1))",
  "if (password == other1) return;",
  'env: { NPM_TOKEN: "${{ secrets.NPM_TOKEN }}" }',
  '{"jsonwebtoken": "^9.0.2", "@types/jsonwebtoken": "9.0.6", "x-token": ">=1.2.3 <2.0.0", "a-secret": "1.0.0-rc.1"}',
  "resourceToken: res_01kx1b2c3d4e5f6g7h8j9kmnpq",
  "password: Passwort",
  "password: newPassword",
  '{"token": "accessToken"}',
  "deploy --token $TOKEN2 --password <password1> --api-key YOUR_API_KEY",
  "deploy --token --verbose2 --secret",
  "docker run -u 1000:1000 -p 8080:8080 image",
  "curl -u admin:$PASSWORD1 https://x",
  "Cookie: theme=dark; consent=yes",
  "enter the password twice2 and log in",
  "<password>${db.password1}</password>",
  '<add key="Theme" value="dark-theme-2024-v2" />',
  "password = getpass1()",
  "/list?key=name&sort=asc",
  "the file is 1/2 done: 12:30",
]) {
  attack(`ordinary text is lost to redaction: ${text} [redaction.harmless]`, async () => {
    expect(await stored(text)).toBe(text);
  });
}

attack("a provider's key is stored with an error, a log or a run [redaction.shapes]", async () => {
  await stored(Object.values(KNOWN_SHAPES).join("\n"));
  const disk = onDisk();
  for (const part of Object.values(KNOWN_SHAPES).flatMap(tellingParts)) expect(disk).not.toContain(part);
});
