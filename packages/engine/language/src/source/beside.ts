/** Resolves a path that a file contains against the folder of that file. */
import { dirname, isAbsolute, join } from "node:path"

export const beside = (file: string, name: string): string =>
  isAbsolute(name) ? name : join(dirname(file), name)
