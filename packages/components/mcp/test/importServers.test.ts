/** Servers of other clients' files: what is imported is valid, and without the secrets. */
import * as fc from "fast-check"
import { expect, it } from "vitest"
import { validatorOf } from "@planloom/schema/ajv"
import { cases } from "../../../../.config/cases.ts"
import { importServers } from "../src/servers/importServers.ts"
import { checkServers } from "../src/servers/checkServers.ts"
import { serversSchema } from "../src/servers/serversSchema.ts"

const secret = fc
  .tuple(
    fc.constantFrom("", "ghp_", "sk-"),
    fc.string({ unit: fc.constantFrom(..."abcdefXYZ0189+/_-"), minLength: 20, maxLength: 40 }),
  )
  .map(([prefix, text]) => `${prefix}a1B2c3D4e5F6g7H8${text}`)

/** A server with the secret at one place or several. */
const server = secret.chain((text) =>
  fc
    .record(
      {
        command: fc.constantFrom("npx", "./run", ""),
        args: fc.array(
          fc.constantFrom("-y", "--token", text, `--key=${text}`, "${workspaceFolder}"),
        ),
        url: fc.constantFrom(
          "https://a.example",
          "http://a.example",
          `https://a.example?k=${text}`,
        ),
        cwd: fc.constantFrom(".", text),
        env: fc.dictionary(fc.constantFrom("API_KEY", "A", "__proto__", "9-x"), value(text)),
        headers: fc.dictionary(fc.constantFrom("Authorization", "X-A", "x-api-key"), value(text)),
        type: fc.constantFrom("stdio", text),
        more: fc.constant(text),
      },
      { requiredKeys: [] },
    )
    .map((written) => ({ text, written })),
)

const value = (text: string) =>
  fc.constantFrom<unknown>(
    text,
    `Bearer ${text}`,
    `a ${text} b`,
    "plain",
    "${env:A}",
    "Bearer ${input:my-x}",
    1,
    null,
  )

it("every import is valid and shows no secret", () => {
  let imported = 0
  fc.assert(
    fc.property(fc.dictionary(fc.string({ maxLength: 8 }), server, { maxKeys: 4 }), (given) => {
      const file = Object.fromEntries(
        Object.entries(given).map(([name, { written }]) => [name, written]),
      )
      const result = importServers(JSON.parse(JSON.stringify({ mcpServers: file })))!
      imported += Object.keys(result.servers).length
      expect(validatorOf(serversSchema)(JSON.parse(JSON.stringify(result.servers)))).toEqual([])
      expect(checkServers(result.servers)).toEqual([])
      const shown = JSON.stringify(result)
      for (const { text } of Object.values(given)) expect(shown).not.toContain(text)
    }),
    { numRuns: cases(200) },
  )
  expect(imported).toBeGreaterThan(0)
})

it("keeps values that are not secrets, and gives each secret a name of its own", () => {
  const values = (KEY: string) => ({
    command: "npx",
    args: ["mcp-server-sqlite3-extended"],
    env: { KEY, DEBUG: "true" },
  })
  const { secrets, servers } = importServers({
    servers: { a: values("one-value"), "a.": values("two-value"), "a!": values("one-value") },
  })!
  expect(servers).toEqual({
    a: { ...values(""), env: { KEY: { secret: "KEY" }, DEBUG: "true" } },
    a_: { ...values(""), env: { KEY: { secret: "A__KEY" }, DEBUG: "true" } },
    a__2: { ...values(""), env: { KEY: { secret: "KEY" }, DEBUG: "true" } },
  })
  expect(secrets).toEqual(["KEY", "A__KEY"])
})
