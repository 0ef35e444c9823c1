/** Addresses of services in a project's file: what requests cannot be sent to is told where it stands. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect } from "effect"
import { afterAll, assert, describe, it } from "vitest"
import anthropicPlugin from "@planloom/provider-anthropic"
import googlePlugin from "@planloom/provider-google"
import openaiPlugin from "@planloom/provider-openai"
import { check } from "@planloom/embed"

const folder = mkdtempSync(join(tmpdir(), "planloom-"))
afterAll(() => rmSync(folder, { recursive: true }))

const plugins = {
  "@planloom/provider-anthropic": () => Promise.resolve(anthropicPlugin),
  "@planloom/provider-google": () => Promise.resolve(googlePlugin),
  "@planloom/provider-openai": () => Promise.resolve(openaiPlugin),
}

/** Where in a project file the address of each plugin stands. */
const configs: { readonly [plugin in keyof typeof plugins]: (address: string) => string } = {
  "@planloom/provider-anthropic": (address) => `\n    base_url: ${address}`,
  "@planloom/provider-google": (address) => `\n    base_url: ${address}`,
  "@planloom/provider-openai": (address) =>
    ` { servers: { local: {\n    base_url: ${address} } } }`,
}

const checked = async (plugin: keyof typeof plugins, address: string) => {
  const path = join(folder, "w.yaml")
  writeFileSync(
    path,
    `apiVersion: planloom/v1\nkind: Workflow\nname: w\nuse: { plugins: ["${plugin}"] }\nstages: []\n`,
  )
  writeFileSync(
    join(folder, "planloom.yaml"),
    `apiVersion: planloom/v1\nkind: Project\nplugins:\n  "${plugin}":${configs[plugin](JSON.stringify(address))}\n`,
  )
  const { diagnostics } = await Effect.runPromise(check(path, { plugins }))
  return diagnostics.filter(({ code }) => code.startsWith("PL4"))
}

describe.each(Object.keys(plugins) as ReadonlyArray<keyof typeof plugins>)("%s", (plugin) => {
  it("takes an address of http and https", async () => {
    for (const address of ["http://localhost:8080/v1", "https://gateway.example.org"]) {
      assert.deepStrictEqual(await checked(plugin, address), [])
    }
  })

  it("tells one without a beginning at its place, and what is missing", async () => {
    const [found, ...more] = await checked(plugin, "localhost:8080/v1")
    assert.deepStrictEqual(more, [])
    assert.deepInclude(found, { code: "PL4002", severity: "error" })
    assert.match(found!.file, /planloom\.yaml$/)
    assert.deepInclude(found!.start, { line: 5, col: 15 })
    assert.match(found!.message, /does not fit: [\w.]+: http:\/\/ or https:\/\/ is missing/)
    assert.notProperty(found, "secret")
  })

  it("shows no password that stands in one", async () => {
    for (const address of ["https://ann:pass-of-ann@a.example", "ftp://a.example?key=pass"]) {
      const [found] = await checked(plugin, address)
      assert.deepInclude(found, { code: "PL4002", secret: true })
      assert.notInclude(found!.message, "pass-of")
    }
  })
})
