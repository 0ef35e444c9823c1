#!/usr/bin/env node
/** Entry point of `npx planloom`, which npm looks up by this package's name: the command of `@planloom/cli`. */
await import("@planloom/cli/command")
