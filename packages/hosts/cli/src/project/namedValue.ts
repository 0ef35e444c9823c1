/** Reads the value of a secret, or of a variable that a flag names: from the environment, or from the file `.env` of the current folder. */
import { readFileSync } from "node:fs"
import { parseEnv } from "node:util"

/** The file fills no other variable of the process: a stranger's folder could change what Node or planloom read. */
export const namedValue = (name: string): string | undefined =>
  process.env[name] ?? parseEnv(textOf(".env"))[name]

const textOf = (path: string): string => {
  try {
    return readFileSync(path, "utf8")
  } catch (error) {
    // Some projects have a folder of this name.
    if (["ENOENT", "EISDIR"].includes((error as NodeJS.ErrnoException).code ?? "")) return ""
    throw error
  }
}
