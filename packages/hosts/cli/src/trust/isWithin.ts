/** Returns whether an absolute path is a folder or inside it. */
import { isAbsolute, relative, sep } from "node:path"

export const isWithin = (folder: string, path: string): boolean => {
  const way = relative(folder, path)
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}
