/** The command with the given arguments, which accounts for itself when it exits. */
import { join } from "node:path"
import { account } from "./account.mjs"

const command = join(import.meta.dirname, "../../node_modules/@planloom/cli/dist/bin.js")
process.argv[1] = command
process.on("exit", account)
await import(command)
