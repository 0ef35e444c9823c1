#!/usr/bin/env node
/** The `planloom` command's first line: switches on Node's compile cache, then starts the rest. */
import module from "node:module"

// Static imports would be compiled before the cache is on.
module.enableCompileCache()
const { main } = await import("./main.ts")
main(process.argv.slice(2))
