import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import type { Json } from "@planloom/plugin/effect"
import { closeSessions, source } from "@planloom/tools-data"
import { afterAll, describe, expect, it } from "vitest"
import { writeOutputs } from "./writeOutputs.ts"

const folder = mkdtempSync(join(tmpdir(), "outputs-"))
const file = join(folder, "people.csv")
const lines = Array.from({ length: 120 }, (_, index) => `=p${index},${index}`)
writeFileSync(file, `name,n\n${lines.join("\n")}\n`)

afterAll(() => {
  closeSessions()
  rmSync(folder, { recursive: true, force: true })
})

const tableOf = async (path: string): Promise<Json> => {
  const { value } = await Effect.runPromise(
    source.call({
      tool: "describe",
      params: { path },
      inputs: {},
      key: "test",
      workspace: folder,
      roots: [folder],
      index: () => Effect.die("there is no index"),
      user: {},
      variant: () => undefined,
      askNow: () => Effect.succeed({ value: null, by: "declined", at: 0 }),
      note: () => Effect.void,
      progress: () => Effect.void,
    }),
  )
  return (value as { readonly table: Json }).table
}

const write = (table: Json, out: string, roots: ReadonlyArray<string>) =>
  Effect.runPromise(writeOutputs({ table }, { run: "r", folder: join(folder, out), roots }))

describe("a table among the outputs of a run", () => {
  it("is written with all rows, as CSV without formulas and as Parquet", async () => {
    const out = join(folder, "out")
    const written = await write(await tableOf(file), "out", [folder])
    expect(written.get("table")).toBe(`${join(out, "table.csv")}, ${join(out, "table.parquet")}`)
    const csv = readFileSync(join(out, "table.csv"), "utf8").trimEnd().split("\n")
    expect(csv).toHaveLength(121)
    expect(csv[120]).toBe("'=p119,119")
    expect(readFileSync(join(out, "table.parquet"), "latin1").slice(0, 4)).toBe("PAR1")
  })

  it("is written as CSV and JSON if it is a list of flat objects", async () => {
    const written = await write([{ id: 1, name: "=a" }], "flat", [])
    const path = join(folder, "flat", "table")
    expect(written.get("table")).toBe(`${path}.csv, ${path}.json`)
    expect(readFileSync(`${path}.csv`, "utf8")).toBe("id,name\r\n1,'=a\r\n")
    expect(JSON.parse(readFileSync(`${path}.json`, "utf8"))).toEqual([{ id: 1, name: "=a" }])
  })

  it("is written as the JSON of its first rows if the run may not read its file", async () => {
    const written = await write(await tableOf(file), "closed", [])
    expect(written.get("table")).toBe(join(folder, "closed", "table.json"))
  })
})
