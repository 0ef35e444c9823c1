/** `planloom fmt` on the files of a folder: what it writes, and what it leaves when it cannot write. */
import { spawnSync } from "node:child_process"
import {
  chmod,
  chown,
  lstat,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, inject, it } from "vitest"
import { planloom } from "./planloom.ts"

/** Longer than the limit of the file size below, in bytes. */
const notes = Array.from({ length: 200 }, (_, index) => `# note ${index}\n`).join("")
const untidy = `${notes}apiVersion: planloom/v1\nkind:   Workflow\nname: w\nstages: []\n`
const tidy = untidy.replace("kind:   ", "kind: ")

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "planloom-fmt-"))
})

afterEach(() => rm(folder, { recursive: true, force: true }))

describe("planloom fmt", () => {
  it.skipIf(process.platform === "win32")(
    "leaves the author's file whole and no other file when the disk takes only a part of the text",
    async () => {
      await writeFile(join(folder, "w.yaml"), untidy)
      // The shell's limit for a file's size, in blocks of 512 or 1024 bytes, in place of a full disk.
      const said = spawnSync(
        "/bin/sh",
        [
          "-c",
          'ulimit -f 1 && exec "$@"',
          "sh",
          process.execPath,
          inject("commandBin"),
          "fmt",
          "w.yaml",
        ],
        { cwd: folder, encoding: "utf8" },
      )
      expect(said.stderr).toContain("w.yaml cannot be written: EFBIG")
      expect(said.status).not.toBe(0)
      expect(await readFile(join(folder, "w.yaml"), "utf8")).toBe(untidy)
      expect(await readdir(folder)).toEqual(["w.yaml"])
    },
  )

  it("keeps the file's mode, and its owner when root formats it", async () => {
    const file = join(folder, "w.yaml")
    await writeFile(file, untidy)
    await chmod(file, 0o660)
    if (process.getuid?.() === 0) await chown(file, 1, 1)
    const { gid, mode, uid } = await stat(file)
    await planloom(["fmt", "w.yaml"], { cwd: folder })
    expect(await readFile(file, "utf8")).toBe(tidy)
    expect(await stat(file)).toMatchObject({ gid, mode, uid })
  })

  it("writes the file behind a link, and the link stays one", async () => {
    await writeFile(join(folder, "shared.yml"), untidy)
    await symlink("shared.yml", join(folder, "w.yaml"))
    await planloom(["fmt", "w.yaml"], { cwd: folder })
    expect((await lstat(join(folder, "w.yaml"))).isSymbolicLink()).toBe(true)
    expect(await readFile(join(folder, "shared.yml"), "utf8")).toBe(tidy)
    expect((await readdir(folder)).toSorted()).toEqual(["shared.yml", "w.yaml"])
  })

  it.skipIf(process.platform === "win32" || process.getuid?.() === 0)(
    "refuses a file that may not be written, although its folder may",
    async () => {
      const file = join(folder, "w.yaml")
      await writeFile(file, untidy, { mode: 0o400 })
      const { code, stderr } = await planloom(["fmt", "w.yaml"], { cwd: folder })
      expect(code).not.toBe(0)
      expect(stderr).toContain("w.yaml cannot be written: EACCES")
      expect(await readFile(file, "utf8")).toBe(untidy)
    },
  )
})
