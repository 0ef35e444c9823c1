import { readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { exhibitors, sessions, speakers } from "./generate.ts"

const shipped = (name: string): string => readFileSync(new URL(name, import.meta.url), "utf8")

describe("the tables of the conference", () => {
  it("are the very bytes the generator writes", () => {
    assert.isTrue(shipped("sessions.csv") === sessions)
    assert.isTrue(shipped("exhibitors.csv") === exhibitors)
    assert.isTrue(shipped("speakers.csv") === speakers)
  })

  it("have 120 rows each, and the titles of sessions and the names are unique", () => {
    for (const table of [sessions, exhibitors, speakers]) {
      const names = table
        .trim()
        .split("\n")
        .slice(1)
        .map((line) => line.split(/,(?! )/)[0]!)
      assert.strictEqual(names.length, 120)
      assert.strictEqual(new Set(names).size, 120)
    }
  })

  it("plant what README.md documents", () => {
    for (const table of [sessions, exhibitors, speakers]) assert.notMatch(table, /quantum/i)
    assert.notMatch(sessions + speakers, /deployment|mlops/i)
    assert.strictEqual(exhibitors.match(/ML deployment/g)?.length, 5)
  })
})
