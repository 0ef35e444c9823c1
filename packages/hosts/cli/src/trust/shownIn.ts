/** A file as a message about its folder names it: by its path in the folder, or its whole path. */
import { relative } from "node:path"
import { isWithin } from "./isWithin.ts"

export const shownIn = (folder: string, file: string): string =>
  isWithin(folder, file) ? relative(folder, file) : file
