#!/usr/bin/env node
/** The `planloom` command's first line: switches on Node's compile cache, then starts the rest. */
import module from "node:module"
import { tooOld } from "./tooOld.ts"

const refused = tooOld(process.versions.node)
if (refused !== undefined) {
  console.error(refused)
  process.exit(1)
}

// Static imports would be compiled before the cache is on.
module.enableCompileCache()
const { main } = await import("./main.ts")
main(process.argv.slice(2))
