#!/usr/bin/env node
/** Entry point of the `planloom` command: enables Node's compile cache, then starts `main`. */
import module from "node:module"
import { checkNodeVersion } from "./checkNodeVersion.ts"

const refused = checkNodeVersion(process.versions.node)
if (refused !== undefined) {
  console.error(refused)
  process.exit(1)
}

// Static imports would be compiled before the cache is enabled.
module.enableCompileCache()
const { main } = await import("./main.ts")
main(process.argv.slice(2))
