/** Temporary folders for data that exceeds a database's memory and for copies of files: private to this user. */
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import * as path from "node:path"

let count = 0

/** Rejects a folder that another user owns or can read. */
const isPrivate = (folder: string): boolean => {
  const info = lstatSync(folder)
  const mine = process.getuid === undefined || info.uid === process.getuid()
  return info.isDirectory() && mine && (process.platform === "win32" || (info.mode & 0o077) === 0)
}

const home = (): string => {
  const folder = path.join(tmpdir(), `planloom-${process.getuid?.() ?? "data"}`)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  return isPrivate(folder) ? folder : mkdtempSync(path.join(tmpdir(), "planloom-"))
}

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM"
  }
}

/** Removes folders left by killed processes. */
const sweep = (folder: string): void => {
  for (const name of readdirSync(folder)) {
    const pid = /^(?:spill|copies)-(\d+)-/.exec(name)?.[1]
    if (pid !== undefined && !isRunning(Number(pid))) remove(path.join(folder, name))
  }
}

const newFolder = (purpose: "spill" | "copies"): string => {
  const folder = home()
  sweep(folder)
  count += 1
  const random = Math.random().toString(36).slice(2)
  return path.join(folder, `${purpose}-${process.pid}-${count}-${random}`)
}

/** A path that does not exist yet: DuckDB creates the folder on first use. */
export const spillFolder = (): string => newFolder("spill")

let copies: string | undefined

/** The folder for copies of files, made at first use and removed when the process ends. */
export const copiesFolder = (): string => {
  if (copies !== undefined) return copies
  const folder = newFolder("copies")
  mkdirSync(folder, { mode: 0o700 })
  process.once("exit", () => remove(folder))
  copies = folder
  return folder
}

export const remove = (folder: string): void => rmSync(folder, { recursive: true, force: true })
