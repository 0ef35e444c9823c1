/** The skill for coding agents has every key that is accepted and no other, and its example passes. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, it } from "vitest"
import { accepted } from "../../../testing/testing/test/keys/accepted.ts"
import { skillTest, skillWorkflow } from "../src/author/skillGuide.ts"
import { skillText } from "../src/author/skillText.ts"
import { planloom } from "./planloom.ts"

let text: string
let folder: string

beforeAll(async () => {
  text = await skillText()
  folder = await mkdtemp(join(tmpdir(), "planloom-skill-"))
})

afterAll(() => rm(folder, { recursive: true, force: true }))

/** Keys of the skill, with the owner that their heading names. */
const keysOf = (skill: string): ReadonlySet<string> => {
  let owners: ReadonlyArray<string> = []
  const keys = new Set<string>()
  for (const line of skill.split("\n")) {
    const [, kind] = /^## Keys of a file of the kind `(\w+)`/.exec(line) ?? []
    const [, uses] = /^## `uses: (\w+)`/.exec(line) ?? []
    const [, section, places] = /^## Keys of `(\w+)` of a (.*)/.exec(line) ?? []
    const [, nested] = /^Keys of `(\w+)`:$/.exec(line) ?? []
    const one = kind ?? uses ?? nested
    if (one !== undefined) owners = [one]
    else if (section !== undefined)
      owners = places!.split(" and of a ").map((place) => `${place} ${section}`)
    else if (line.startsWith("#")) owners = []
    const [, key] = /^- `([^`]+)`/.exec(line) ?? []
    if (key !== undefined) for (const owner of owners) keys.add(`${owner}.${key}`)
  }
  return keys
}

it("has every accepted key", () => {
  const keys = keysOf(text)
  expect(accepted.filter((key) => !keys.has(key))).toEqual([])
})

it("has no key that is not accepted", () => {
  const known = new Set(accepted)
  const owners = new Set(accepted.map((key) => key.slice(0, key.indexOf("."))))
  // Data of other stages, such as a plan, has a schema of its own within the input of a stage kind.
  const isKnown = (key: string): boolean =>
    known.has(key) || (key.includes(".") && isKnown(key.slice(0, key.lastIndexOf("."))))
  const strange = [...keysOf(text)].filter(
    (key) => owners.has(key.slice(0, key.indexOf("."))) && !isKnown(key),
  )
  expect(strange).toEqual([])
})

it("shows a workflow and a test that pass", async () => {
  await writeFile(join(folder, "triage.yaml"), skillWorkflow)
  await writeFile(join(folder, "triage.test.yaml"), skillTest)
  const checked = await planloom(["check", folder, "--max-warnings", "0"])
  expect(checked).toMatchObject({ code: 0 })
  const tested = await planloom(["test", join(folder, "triage.test.yaml")])
  expect(tested.stdout).toContain("1 passed, 0 failed")
  expect(text).toContain(skillWorkflow)
  expect(text).toContain(skillTest)
})

it("is a skill in a folder with its name", async () => {
  const said = await planloom(["skill", "--out", folder])
  expect(said).toMatchObject({ code: 0, stdout: `${join(folder, "planloom/SKILL.md")}\n` })
  const written = await readFile(join(folder, "planloom/SKILL.md"), "utf8")
  expect(written).toBe(text)
  expect(written).toMatch(/^---\nname: planloom\ndescription: [^\n]{1,1024}\n---\n/)
})
