/** The example of a plugin with a manifest: known without being loaded, and at work once it is trusted. */
import { existsSync } from "node:fs"
import { appendFile, cp, mkdtemp, readFile, realpath, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { manifestOf, type Plugin } from "@planloom/plugin/effect"
import { beforeEach, describe, expect, it } from "vitest"
import { planloom, trusting } from "./planloom.ts"

const example = join(import.meta.dirname, "../../../../examples/plugin-registry")

let folder: string

/** A copy that nobody trusts, whose plugin leaves a file when it is imported. */
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "planloom-registry-")))
  await cp(example, folder, {
    recursive: true,
    filter: (path) => !path.includes("node_modules"),
  })
  await symlink(join(example, "node_modules"), join(folder, "node_modules"))
  await appendFile(
    join(folder, "plugin.ts"),
    'import { writeFileSync } from "node:fs"\nwriteFileSync(new URL("imported", import.meta.url), "")\n',
  )
})

const isImported = () => existsSync(join(folder, "imported"))

const replaceIn = async (path: string, from: string, to: string) => {
  const text = await readFile(join(folder, path), "utf8")
  expect(text).toContain(from)
  await writeFile(join(folder, path), text.replace(from, to))
}

const command = (...args: ReadonlyArray<string>) => planloom(args, { cwd: folder })

describe("the example of a plugin with a manifest", () => {
  it("has a manifest that says what its code contributes", async () => {
    const { default: plugin } = (await import(join(example, "plugin.ts"))) as { default: Plugin }
    const text = await readFile(join(example, "package.json"), "utf8")
    expect((JSON.parse(text) as { planloom: unknown }).planloom).toEqual(manifestOf(plugin))
  })

  it("checks clean without being imported, but for the warning that it is left out", async () => {
    const { code, stdout } = await command("check", "workflows", "tones", "--no-plugins")
    expect(stdout).toMatch(/PL4024 .* only what its package.json declares is checked/)
    expect(stdout).toContain("1 warning")
    expect(code).toBe(0)
    expect(isImported()).toBe(false)
  })

  it("is loaded according to doctor only where a workflow uses something of it", async () => {
    await trusting(folder)
    const name = "Plugin @planloom-examples/plugin-registry"
    expect((await command("doctor")).stdout).toContain(`${name}  loaded`)
    await writeFile(
      join(folder, "workflows/hello.yaml"),
      `apiVersion: planloom/v1
kind: Workflow
name: hello
use: { plugins: ["@planloom/stages", "@planloom-examples/plugin-registry"] }
stages: [{ id: ask, uses: approve, with: { message: "Continue?" } }]
`,
    )
    const { stdout } = await command("doctor")
    expect(stdout).toContain(
      `${name}  not loaded: no workflow uses anything that its manifest declares`,
    )
    expect(stdout).toMatch(/Plugin @planloom\/stages +comes with planloom/)
  })

  it("has mistakes in its section, stage key, stage kind and file found without being imported", async () => {
    await replaceIn("workflows/hello.yaml", "tone: { use: friendly }", "tone: { uses: friendly }")
    await replaceIn("workflows/hello.yaml", "voice: loud", "voice: lout")
    await replaceIn("workflows/hello.yaml", "with: { text:", "with: { txt:")
    await replaceIn("tones/house.yaml", "greeting: Hi", "greting: Hi")
    const { stdout } = await command("check", "workflows", "tones", "--no-plugins")
    expect(stdout).toMatch(/hello\.yaml:11:9 error PL0101 unknown key "uses"/)
    expect(stdout).toMatch(/hello\.yaml:16:12 error PL0104 unknown value "lout"/)
    expect(stdout).toMatch(/hello\.yaml:17:13 error PL4005 the stage kind "speak" takes no "txt"/)
    expect(stdout).toMatch(/house\.yaml:5:15 error PL0101 unknown key "greting"/)
    expect(isImported()).toBe(false)
  })

  it("is in the schemas that editors complete from, without being imported", async () => {
    const schemaOf = async (kind: string) => {
      const { stdout } = await command("schema", kind, "--no-plugins")
      return JSON.parse(stdout) as { readonly [word: string]: any }
    }
    const workflow = await schemaOf("workflow")
    expect(workflow["properties"].tone).toMatchObject({ allOf: [{ required: ["use"] }] })
    expect(workflow["definitions"].stage.properties.voice).toMatchObject({
      description: "How loud a stage speaks.",
      allOf: [{ enum: ["calm", "loud"] }],
    })
    expect(JSON.stringify(workflow["definitions"].stage.allOf)).toContain('"const":"speak"')
    expect((await schemaOf("tones"))["properties"]).toMatchObject({ kind: { const: "Tones" } })
    expect(isImported()).toBe(false)
  })

  it("does not run in a folder that is not trusted", async () => {
    const { code, stderr } = await command("run", "workflows/hello.yaml")
    expect(stderr).toMatch(/error PL4024 .* is not loaded/)
    expect(code).not.toBe(0)
    expect(isImported()).toBe(false)
  })

  it("reports its own diagnostic once it is trusted", async () => {
    await replaceIn("workflows/hello.yaml", "tone: { use: friendly }", "tone: { use: freindly }")
    const { stdout } = await command("check", "workflows", "--trust")
    expect(stdout).toMatch(/hello\.yaml:11:14 error TONE01 there is no tone "freindly"/)
    expect(stdout).toContain("there are: formal, friendly")
    expect(isImported()).toBe(true)
  })

  it("acts in a run, and prints its event", async () => {
    const { code, stdout } = await command("run", "workflows/hello.yaml", "--trust", "--json")
    const events = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { readonly [key: string]: unknown })
    expect(events.find(({ type }) => type === "Noted")).toMatchObject({
      note: "tones/spoken",
      data: { text: "Hi Ada!" },
      audience: "user",
      text: "said “Hi Ada!”",
    })
    expect(events.at(-1)).toMatchObject({ status: "succeeded", outputs: { said: "Hi Ada!" } })
    expect(code).toBe(0)
  })
})
