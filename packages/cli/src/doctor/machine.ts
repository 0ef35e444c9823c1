/** What the doctor sees of the machine: Node and the folder for runs. */
import { access, mkdtemp, rm } from "node:fs/promises"
import { join } from "node:path"
import { good, note, trouble, type Finding } from "./Finding.ts"

/** The oldest Node that reads TypeScript plugins without a flag. */
const LEAST = [22, 19] as const

export const nodeFinding = (version: string): Finding => {
  const [major = 0, minor = 0] = version.replace(/^v/, "").split(".").map(Number)
  const enough = major > LEAST[0] || (major === LEAST[0] && minor >= LEAST[1])
  return enough
    ? good("Node", version)
    : trouble("Node", `${version} is too old`, `install Node ${LEAST.join(".")} or newer`)
}

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
