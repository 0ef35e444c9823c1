/** Checks of the machine: the version of Node and the folder for runs. */
import { access, mkdtemp, rm } from "node:fs/promises"
import { join } from "node:path"
import { minimumNode, checkNodeVersion } from "../checkNodeVersion.ts"
import { good, note, failing, type Finding } from "./Finding.ts"

export const nodeFinding = (version: string): Finding =>
  checkNodeVersion(version.replace(/^v/, "")) === undefined
    ? good("Node", version)
    : failing("Node", `${version} is too old`, `install Node ${minimumNode} or newer`)

/** Checks whether runs can be written in the project folder; removes its probe file. */
export const storeFinding = async (): Promise<Finding> => {
  const folder = ".planloom"
  try {
    const exists = await access(folder).then(
      () => true,
      () => false,
    )
    const probe = await mkdtemp(join(exists ? folder : ".", "planloom-probe-"))
    await rm(probe, { recursive: true })
    return good(
      "Folder for runs",
      exists ? `${folder} can be written` : `${folder} can be created here`,
    )
  } catch (error) {
    return failing(
      "Folder for runs",
      `${folder} cannot be written: ${(error as NodeJS.ErrnoException).code ?? String(error)}`,
      "run planloom in a folder you own",
    )
  }
}

export const ignoredFinding = async (text: Promise<string | undefined>): Promise<Finding> => {
  const lines = (await text)?.split("\n").map((line) => line.trim().replace(/^\/|\/$/g, "")) ?? []
  return lines.some((line) => line === ".planloom" || line === ".planloom/*")
    ? good("Version control", "runs in .planloom are ignored")
    : note(
        "Version control",
        ".planloom is not in .gitignore",
        "add the lines .planloom/* and !.planloom/schema/ to .gitignore",
      )
}
