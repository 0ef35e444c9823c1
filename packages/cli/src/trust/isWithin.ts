/** Whether a path lies in a folder, or is the folder; both absolute. */
import { isAbsolute, relative, sep } from "node:path"

export const isWithin = (folder: string, path: string): boolean => {
  const way = relative(folder, path)
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}
