/** Version of this package, from its package.json. */
import { readFileSync } from "node:fs"
import { packageRoot } from "./packageRoot.ts"

export const version = (): string =>
  (
    JSON.parse(readFileSync(new URL("package.json", packageRoot), "utf8")) as {
      readonly version: string
    }
  ).version
