/** Root folder and version of this package: source and build are both one folder below the root. */
import { readFileSync } from "node:fs"

export const packageRoot = new URL("..", import.meta.url)

interface Package {
  readonly version: string
  readonly engines: { readonly node: string }
}

const packageJson = (): Package =>
  JSON.parse(readFileSync(new URL("package.json", packageRoot), "utf8")) as Package

/** Version of all packages of one release; new projects depend on it. */
export const engineVersion = (): string => packageJson().version

/** The oldest version of Node that a project runs with: `22.19`. */
export const engineNode = (): string => packageJson().engines.node.replace(">=", "")
