/** A path written in a file, as seen from the working folder. */
import { dirname, isAbsolute, join } from "node:path"

export const beside = (file: string, name: string): string =>
  isAbsolute(name) ? name : join(dirname(file), name)
