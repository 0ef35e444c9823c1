/** Returns whether a folder holds the source of the running command: its clone, whose code runs already. */
import { realpathSync } from "node:fs"
import { sep } from "node:path"
import { fileURLToPath } from "node:url"
import { packageRoot } from "../packageRoot.ts"
import { isWithin } from "./isWithin.ts"

const command = realpathSync(fileURLToPath(packageRoot))

/** An installation in `node_modules` runs in folders of strangers, so it is no reason to trust one. */
export const holdsCommand = (folder: string): boolean =>
  isWithin(folder, command) && !command.split(sep).includes("node_modules")
