/** Every diagnostic has a workflow that triggers it, and a correct workflow has no diagnostics. */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { rules } from "../src/definition/rules/index.ts"
import { report } from "../src/source/report.ts"
import { checkText } from "./checkText.ts"

const folder = join(import.meta.dirname, "golden")
const names = (kind: "err" | "ok"): ReadonlyArray<string> =>
  readdirSync(join(folder, kind))
    .filter((name) => name.endsWith(".yaml"))
    .map((name) => name.slice(0, -".yaml".length))

/** Found before there is text to read, or by the part of the engine that loads plugins. */
const foundElsewhere = new Set([
  "PL0001",
  "PL2013",
  "PL4001",
  "PL4002",
  "PL4004",
  "PL4011",
  "PL4012",
  "PL4013",
  "PL4042",
  "PL4044",
  "PL4045",
  "PL4046",
  "PL4047",
  "PL4048",
  "PL4049",
  "PL4014",
  "PL4015",
  "PL4016",
  "PL4024",
  "PL4027",
  "PL4031",
  "PL4034",
  "PL5006",
  "PL4028",
  "PL4029",
  "PL4043",
  "PL4052",
])

describe("a workflow with a mistake", () => {
  it.each(names("err"))("%s is reported", async (name) => {
    const text = readFileSync(join(folder, "err", `${name}.yaml`), "utf8")
    const { diagnostics, sources } = checkText(`${name}.yaml`, text)
    const printed = report(diagnostics, { width: 100, sources })
    await expect(printed).toMatchFileSnapshot(join(folder, "err", `${name}.out`))
    const [code] = name.split("_")
    expect(diagnostics.map((one) => one.code)).toContain(code)
    // One mistake, one message: a golden shows its own code and nothing that follows from it.
    expect(new Set(diagnostics.map((one) => one.code))).toEqual(new Set([code]))
  })
})

describe("a workflow without a mistake", () => {
  it.each(names("ok"))("%s has no diagnostics", (name) => {
    const text = readFileSync(join(folder, "ok", `${name}.yaml`), "utf8")
    const { diagnostics, sources } = checkText(`${name}.yaml`, text)
    expect(report(diagnostics, { sources })).toBe("")
  })
})

describe("the list of codes", () => {
  it("has a golden for every code, and a code for every golden", () => {
    const shown = names("err").map((name) => name.split("_")[0])
    const expected = rules.map(({ code }) => code).filter((code) => !foundElsewhere.has(code))
    expect([...new Set(shown)].toSorted()).toEqual(expected.toSorted())
  })

  it("names goldens by code and slug", () => {
    const slugs = new Map(rules.map(({ code, slug }) => [code, slug]))
    for (const name of names("err")) {
      const [code, ...rest] = name.split("_")
      expect(rest.join("_").startsWith(slugs.get(code!)!)).toBe(true)
    }
  })

  it("is sorted and has each code and slug once", () => {
    const codes = rules.map(({ code }) => code)
    expect(codes).toEqual([...new Set(codes)].toSorted())
    expect(new Set(rules.map(({ slug }) => slug)).size).toBe(rules.length)
  })
})
