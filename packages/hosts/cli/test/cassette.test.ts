/** `run --record` and `run --replay`, as a person uses them. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { planloom } from "./planloom.ts"

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "planloom-cassette-"))
})

afterAll(() => rm(folder, { recursive: true, force: true }))

describe("a run with a cassette", () => {
  it("is replayed from its cassette, which contains requests and replies", async () => {
    const tape = join(folder, "tape")
    const approving = ["run", "ends", "-i", "how=approve", "--yes"]
    const recorded = await planloom([...approving, "--record", tape])
    expect(recorded, recorded.stderr).toMatchObject({ code: 0 })
    const file = join(tape, "door.yaml")
    const kept = await readFile(file, "utf8")
    expect(kept).toContain("tool: lock_door")
    expect(await planloom([...approving, "--replay", tape])).toEqual(recorded)
    await writeFile(file, kept.replace("door: front", "door: back"))
    const stale = await planloom([...approving, "--replay", tape])
    expect(stale.code).toBe(3)
    expect(stale.stderr).toContain("-   door: back\n  +   door: front")
    expect(stale.stderr).toContain("help: if the change is intended")
    expect(stale.stderr).not.toContain("a recorded run can be resumed")
    await writeFile(file, "garbage\n")
    const broken = await planloom([...approving, "--replay", tape])
    expect(broken).toMatchObject({ code: 1, stdout: "" })
    expect(broken.stderr).toContain(`${file}:1 is no recording: it is not a mapping`)
  })

  it("does not start if the cassette cannot be written, because its calls would be lost", async () => {
    const file = join(folder, "a_file")
    await writeFile(file, "mine")
    const refused = await planloom(["run", "ends", "-i", "how=approve", "--yes", "--record", file])
    expect(refused).toMatchObject({ code: 1, stdout: "" })
    expect(refused.stderr).toContain(`the recording cannot be written to ${file}`)
    expect(await readFile(file, "utf8")).toBe("mine")
  })

  it("fails but shows its outputs if the cassette cannot be written at its end", async () => {
    const tape = join(folder, "taken")
    // What stands where the file of a stage is to be written is found only at the end.
    await mkdir(join(tape, "door.yaml"), { recursive: true })
    await writeFile(join(tape, "cassette.yaml"), "workflow: ends\nstages: []\n")
    const ended = await planloom(["run", "ends", "-i", "how=approve", "--yes", "--record", tape])
    expect(ended.code).toBe(3)
    expect(ended.stdout).not.toBe("")
    expect(ended.stderr).toContain(`the recording cannot be written to ${tape}`)
  })

  it("is rejected without a cassette to replay, and with both --record and --replay", async () => {
    const missing = await planloom(["run", "gate", "--replay", join(folder, "nowhere")])
    expect(missing).toMatchObject({ code: 1, stdout: "" })
    expect(missing.stderr).toContain("there is no recording")
    const both = await planloom(["run", "gate", "--replay", folder, "--record", folder])
    expect(both).toMatchObject({ code: 2, stdout: "" })
    expect(both.stderr).toContain("exclude each other")
  })
})
