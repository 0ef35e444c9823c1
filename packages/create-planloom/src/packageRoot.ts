/** Root folder and version of this package: source and build are both one folder below the root. */
import { readFileSync } from "node:fs"

export const packageRoot = new URL("..", import.meta.url)

/** Version of all packages of one release; new projects depend on it. */
export const engineVersion = (): string =>
  (
    JSON.parse(readFileSync(new URL("package.json", packageRoot), "utf8")) as {
      readonly version: string
    }
  ).version
