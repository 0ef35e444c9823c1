import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { removeRunFolders } from "./removeRunFolders.ts"
import { runFolder } from "./RunFolder.ts"

const folder = mkdtempSync(join(tmpdir(), "planloom-run-folder-"))

afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe("the folder of a run", () => {
  it.each(["order-4711", "0b0cf2a5-8a53-4d5b-9c14-1d29a1b9d1a1"])(
    "is called %s as its run",
    (run) => {
      expect(runFolder("root", run)).toBe(join("root", run))
    },
  )

  it.each([
    "",
    ".",
    "..",
    "../up",
    "a/b",
    "a\\b",
    "/etc",
    "A",
    "con",
    "a.b",
    "a:b",
    "a\0",
    "x".repeat(65),
  ])("of the run %j is a folder in the root all the same", (run) => {
    expect(dirname(runFolder("root", run))).toBe("root")
    expect(runFolder("root", run)).toMatch(/[\\/]id-[0-9a-f]{64}$/)
  })

  it("differs for every id, even on a case-insensitive file system", () => {
    const runs = ["a", "A", ".", "..", "a/b", "a:b"]
    expect(new Set(runs.map((run) => runFolder("root", run).toLowerCase())).size).toBe(runs.length)
  })

  it("is removed with its links but without their targets", async () => {
    const root = join(folder, "work")
    const kept = join(folder, "kept")
    mkdirSync(join(root, "inside"), { recursive: true })
    mkdirSync(kept)
    writeFileSync(join(kept, "file"), "")
    symlinkSync(kept, join(root, "inside/link"))
    symlinkSync(kept, join(root, "linked"))
    expect(await removeRunFolders(root, ["inside", "linked", "never_made"])).toEqual([])
    expect(existsSync(join(root, "inside")) || existsSync(join(root, "linked"))).toBe(false)
    expect(existsSync(join(kept, "file"))).toBe(true)
  })

  it("is reported, not removed, where the root is a link", async () => {
    const root = join(folder, "root")
    const real = join(folder, "real")
    mkdirSync(join(real, "r"), { recursive: true })
    symlinkSync(real, root)
    expect(await removeRunFolders(root, ["r", "never_made"])).toEqual([
      { folder: join(root, "r"), message: `${root} is a symbolic link` },
    ])
    expect(existsSync(join(real, "r"))).toBe(true)
  })
})
