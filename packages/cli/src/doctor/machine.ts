/** What the doctor sees of the machine: Node and the folder for runs. */
import { access, mkdtemp, rm } from "node:fs/promises"
import { join } from "node:path"
import { least, tooOld } from "../tooOld.ts"
import { good, note, trouble, type Finding } from "./Finding.ts"

export const nodeFinding = (version: string): Finding =>
  tooOld(version.replace(/^v/, "")) === undefined
    ? good("Node", version)
    : trouble("Node", `${version} is too old`, `install Node ${least} or newer`)

/** Whether runs can write beside the project. Leaves nothing behind. */
export const storeFinding = async (): Promise<Finding> => {
  const folder = ".planloom"
  try {
    const there = await access(folder).then(
      () => true,
      () => false,
    )
    const probe = await mkdtemp(join(there ? folder : ".", "planloom-probe-"))
    await rm(probe, { recursive: true })
    return good(
      "Folder for runs",
      there ? `${folder} can be written` : `${folder} can be made here`,
    )
  } catch (error) {
    return trouble(
      "Folder for runs",
      `${folder} cannot be written: ${(error as NodeJS.ErrnoException).code ?? String(error)}`,
      "run planloom in a folder you own",
    )
  }
}

export const ignoredFinding = async (text: Promise<string | undefined>): Promise<Finding> => {
  const lines = (await text)?.split("\n").map((line) => line.trim().replace(/^\/|\/$/g, "")) ?? []
  return lines.includes(".planloom")
    ? good("Version control", ".planloom is ignored")
    : note(
        "Version control",
        ".planloom is not in .gitignore",
        "add a line .planloom/ to .gitignore",
      )
}
