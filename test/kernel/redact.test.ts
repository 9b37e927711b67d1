import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRedactor } from "../../src/kernel/redact.ts";
import { runs } from "../property.ts";

const { redact, redactValue } = createRedactor();
const R = "[redacted]";

// Put together here so that no scanner takes this file for a leak.
const body = "a1B2c3D4e5F6g7H8i9J0";
const ISSUED = [
  `sk-ant-api03-${body}${body}`,
  `sk-proj-${body}`,
  `sk-${body}`,
  `ghp_${body}${body}`,
  `gho_${body}${body}`,
  `github_pat_${body}_${body}`,
  `glpat-${body}`,
  `xoxb-1234567890-${body}`,
  `xoxp-1234567890-${body}`,
  `AKIA${"A1B2C3D4E5F6G7H8"}`,
  `AIza${body}${body}`,
  `npm_${body}${body}`,
  `hf_${body}${body}`,
  `sk_live_${body}`,
  `eyJ${body}.eyJ${body}.${body}`,
];
const KEY_LINES = `${"MIIEow".repeat(10)}\n${"abcd".repeat(16)}\nshort=`;
const KEY = `-----BEGIN RSA PRIVATE KEY-----\n${KEY_LINES}\n-----END RSA PRIVATE KEY-----`;

describe("redact", () => {
  it.each(ISSUED)("finds %s alone, quoted and in a sentence [message.redacted]", (secret) => {
    expect(redact(secret)).toBe(R);
    expect(redact(`key="${secret}", next`)).toBe(`key="${R}", next`);
    expect(redact(`The key is ${secret}.`)).toMatch(/^The key is \[redacted\]\.?$/);
  });

  it.each([
    ["Authorization: Bearer abcdef", `Authorization: Bearer ${R}`],
    ["authorization: basic dXNlcjpwYXNz", `authorization: basic ${R}`],
    ['-H "Authorization: token 12ab34cd"', `-H "Authorization: token ${R}"`],
    ["Authorization: 12ab34cd56", `Authorization: ${R}`],
    [`curl -H 'x: Bearer ${body}'`, `curl -H 'x: Bearer ${R}'`],
    ["postgres://app:hunter2@db:5432/app", `postgres://app:${R}@db:5432/app`],
    ["redis://:p@ss@host/0", `redis://:${R}@host/0`],
    [`https://${body}@github.com/o/r.git`, `https://${R}@github.com/o/r.git`],
    ["password=hunter2&user=me", `password=${R}&user=me`],
    ["PGPASSWORD='two words' psql", `PGPASSWORD=${R} psql`],
    ["export GITHUB_TOKEN=abcd1234", `export GITHUB_TOKEN=${R}`],
    ["https://x/y?api_key=abcd1234&z=1", `https://x/y?api_key=${R}&z=1`],
    ["db:\n  password: swordfish\n  port: 5432", `db:\n  password: ${R}\n  port: 5432`],
    ['api_key: "abcd1234efgh"', `api_key: "${R}"`],
    ['{"accessToken":"abc","n":1}', `{"accessToken":"${R}","n":1}`],
    ['{"password": "a\\"b"}', `{"password": "${R}"}`],
    ['"{\\"secret\\":\\"abc\\"}"', `"{\\"secret\\":\\"${R}\\"}"`],
    [`before\n${KEY}\nafter`, `before\n${R}\nafter`],
    [`${KEY}${KEY}`, `${R}${R}`],
    [`cut -----BEGIN PRIVATE KEY-----\n${"MIIEow".repeat(10)}\n it goes on`, `cut ${R}\n it goes on`],
    [`-----BEGIN PRIVATE KEY-----\n is a header, ${KEY}`, `${R}\n is a header, ${R}`],
    [JSON.stringify({ pem: KEY }), `{"pem":"${R}"}`],
  ])("%j", (text, expected) => {
    expect(redact(text)).toBe(expected);
  });

  it.each([
    "The password must have 8 characters, and the secret of a good token is its length.",
    "Authorization: required for all routes",
    "bearer certificates are a basic understanding of internationalization",
    "max_tokens: 4096, total tokens=12, token: 4096",
    "const token = await readToken(); send({ token, password: form.password });",
    "connect(password=getpass(), token=make_token(1))",
    "see class sk-fading-circle-container and task-force-number-one",
    "mail me@example.com, ssh://git@host/x, http://localhost:5099/a@b, 10:30@noon",
    "api_key: $ANTHROPIC_API_KEY",
    "password: ${DB_PASSWORD}",
    "password=$PGPASSWORD",
    '{"api_key":"$KEY","tokens":5}',
    "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----",
    "commit 3f786850e387550fdab836ed7e6dc881de23001b",
    "msg_01jc8zq3x7e4t9v2b6n1m5k0ra",
    "run 123e4567-e89b-12d3-a456-426614174000",
  ])("leaves %j alone [message.redacted]", (text) => {
    expect(redact(text)).toBe(text);
  });

  it("leaves ordinary prose alone", () => {
    const word = fc.stringMatching(/^[a-z]{1,14}$/).filter((text) => !/passw|passphrase|pwd/.test(text));
    const sentence = fc.array(
      fc.oneof(
        word,
        fc.constantFrom("token", "secret", "@alice", "(see", "a/b.ts)", "10:30", "x=1,", "bearer", "sk-1"),
      ),
      { maxLength: 30 },
    );
    fc.assert(
      fc.property(sentence, (words) => {
        const text = words.join(" ");
        expect(redact(text)).toBe(text);
      }),
      runs(300),
    );
  });

  it("lets no planted credential through, wherever it stands", () => {
    const around = fc.string({ unit: fc.constantFrom(" ", "\n", '"', "'", "a ", "(", ")", ",", ":", "=", "[", "😀") });
    fc.assert(
      fc.property(around, fc.constantFrom(...ISSUED, KEY), around, (before, secret, after) => {
        expect(redact(before + secret + after)).not.toContain(body);
        expect(redact(before + secret + after)).not.toContain("MIIEow");
      }),
      runs(500),
    );
  });

  it("finds the secret of a header that follows another header's name", () => {
    const key = "sk-ant-api03-a1B2c3D4e5F6g7H8i9J0a1B2c3D4e5F6g7H8i9J0";
    expect(redact(`Authorization: Authorization: 0${key}`)).toBe("Authorization: Authorization: [redacted]");
    expect(redact(`password=Authorization: Authorization: 0${key}`)).not.toContain(key);
  });

  it("changes nothing the second time", () => {
    const pieces = [
      ...ISSUED,
      KEY,
      "password=",
      "token=",
      '"token":"',
      "Bearer ",
      "Authorization: ",
      "https://a:b@c/",
      "api_key: ",
      R,
    ];
    const noise = fc.array(fc.oneof(fc.constantFrom(...pieces), fc.string({ maxLength: 4 })), { maxLength: 12 });
    fc.assert(
      fc.property(noise, (parts) => {
        const once = redact(parts.join(""));
        expect(redact(once)).toBe(once);
      }),
      runs(1_000),
    );
  });

  it("answers hostile input of a megabyte", () => {
    const units = [
      "token=",
      "password=",
      "sk-",
      "eyJ",
      "a.",
      "http://a:",
      "-----BEGIN PRIVATE KEY-----",
      "Bearer ",
      '"token":"',
      "\\",
      "x:y@",
    ];
    for (const unit of units) {
      const text = `${unit.repeat(Math.ceil(1_000_000 / unit.length))}(`;
      expect(redact(text).length).toBeGreaterThan(0);
    }
  });
});

describe("known secrets", () => {
  it("removes them in every spelling, from the moment they are known", () => {
    const redactor = createRedactor({ secrets: ["open sesame/now"] });
    const late = 'line "one"\nline two';
    expect(redactor.redact("say open sesame/now!")).toBe(`say ${R}!`);
    expect(redactor.redact(`?q=${encodeURIComponent("open sesame/now")}`)).toBe(`?q=${R}`);
    expect(redactor.redact(Buffer.from("open sesame/now").toString("base64"))).toBe(R);
    expect(redactor.redact(late)).toBe(late);
    redactor.add(`${late}\n`);
    expect(redactor.redact(`<${late}>`)).toBe(`<${R}>`);
    expect(redactor.redact(JSON.stringify({ late }))).toBe(`{"late":"${R}"}`);
  });

  it("removes them from a long text that was clean before", () => {
    const redactor = createRedactor();
    const text = `${"plain words ".repeat(200)}hunter2hunter2`;
    expect([redactor.redact(text), redactor.redact(text)]).toEqual([text, text]);
    redactor.add("hunter2hunter2");
    expect(redactor.redact(text)).toBe(text.replace("hunter2hunter2", R));
  });

  it("ignores what is too short or too common to be one", () => {
    const redactor = createRedactor({ secrets: ["", "   ", "short", "redacted"] });
    expect(redactor.redact("a short text, redacted")).toBe("a short text, redacted");
  });

  it("prefers the longer of two that begin alike", () => {
    expect(createRedactor({ secrets: ["alphabet", "alphabet-soup"] }).redact("alphabet-soup")).toBe(R);
  });

  it("lets no known value through, whatever it is made of and wherever it stands", () => {
    const secret = fc
      .string({ minLength: 8, maxLength: 40 })
      .filter((text) => text.trim().length >= 8 && !R.includes(text.trim()));
    fc.assert(
      fc.property(
        fc.array(secret, { minLength: 1, maxLength: 4 }),
        fc.string(),
        fc.string(),
        (secrets, before, after) => {
          const redactor = createRedactor({ secrets });
          const [first = ""] = secrets;
          const text = `${before} ${first} ${after}`;
          expect(redactor.redact(text)).not.toContain(first.trim());
          expect(JSON.stringify(redactor.redactValue({ deep: [{ text }] }))).not.toContain(
            JSON.stringify(first.trim()).slice(1, -1),
          );
        },
      ),
      runs(500),
    );
  });
});

describe("redactValue", () => {
  it("redacts by the name of the field and by the look of the text", () => {
    const input = {
      api_key: "abc",
      apiKey: "abc",
      DB_PASSWORD: 12_345,
      headers: { Authorization: "x", accept: "json" },
      secret: { nested: ["a", { b: "c" }], on: true },
      usage: { tokens: 5, max_tokens: 9 },
      provider: { api_key: "$OPENAI_API_KEY", api_key_env: "NAME" },
      note: `use ${ISSUED[0]}`,
      token: "",
      none: null,
    };
    expect(redactValue(input)).toEqual({
      api_key: R,
      apiKey: R,
      DB_PASSWORD: R,
      headers: { Authorization: R, accept: "json" },
      secret: { nested: [R, { b: R }], on: true },
      usage: { tokens: 5, max_tokens: 9 },
      provider: { api_key: "$OPENAI_API_KEY", api_key_env: "NAME" },
      note: `use ${R}`,
      token: "",
      none: null,
    });
  });

  it("redacts keys, maps, sets, addresses and bytes, and keeps dates", () => {
    const date = new Date(0);
    const input = {
      [ISSUED[3] ?? ""]: 1,
      map: new Map([["token", "abc"]]),
      set: new Set([ISSUED[4]]),
      url: new URL("https://me:hunter2@host/x"),
      bytes: Buffer.from("hunter2"),
      date,
    };
    expect(redactValue(input)).toEqual({
      [R]: 1,
      map: { token: R },
      set: [R],
      url: `https://me:${R}@host/x`,
      bytes: "[7 bytes]",
      date,
    });
  });

  it("keeps what explains an error", () => {
    const error = new Error(`refused ${ISSUED[0]}`, { cause: new Error("password=hunter2") });
    const copy = redactValue(error);
    expect(copy).toMatchObject({ name: "Error", message: `refused ${R}`, cause: { message: `password=${R}` } });
    expect(JSON.stringify(copy)).not.toContain(body);
  });

  it("ends on cycles, on depth, on shared parts and on fields that cannot be read", () => {
    const cycle: Record<string, unknown> = { name: "a" };
    cycle["self"] = cycle;
    expect(redactValue(cycle)).toEqual({ name: "a", self: "[circular]" });

    let deep: unknown = "bottom";
    for (let level = 0; level < 100_000; level += 1) deep = [deep];
    expect(JSON.stringify(redactValue(deep))).toContain("[too deep]");

    let bomb: unknown = "x";
    for (let level = 0; level < 60; level += 1) bomb = [bomb, bomb];
    expect(redactValue(bomb)).toHaveLength(2);

    const trap = Object.defineProperty({ ok: 1 }, "bad", {
      enumerable: true,
      get: () => {
        throw new Error("no");
      },
    });
    expect(redactValue(trap)).toEqual({ ok: 1, bad: "[unreadable]" });
  });

  it("copies a shared part by the name it is found under", () => {
    const shared = { value: "abc" };
    expect(redactValue({ open: shared, secret: shared })).toEqual({ open: { value: "abc" }, secret: { value: R } });
  });

  it("leaves its input alone and no prototype changed", () => {
    const input: unknown = JSON.parse('{"__proto__":{"polluted":"yes"},"token":"abc"}');
    const before = JSON.stringify(input);
    const copy = redactValue(input);
    expect(JSON.stringify(input)).toBe(before);
    expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
    expect(JSON.stringify(copy)).toBe('{"__proto__":{"polluted":"yes"},"token":"[redacted]"}');
  });
});
