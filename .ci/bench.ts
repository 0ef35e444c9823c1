/** Runs a measurement: `pnpm bench <name> [arguments]` is `node bench/<name>.ts [arguments]`. */
import { spawnSync } from "node:child_process"
import { existsSync, readdirSync } from "node:fs"
import { join } from "node:path"

const folder = join(import.meta.dirname, "../bench")
const [, , name = "", ...args] = process.argv
const script = join(folder, `${name}.ts`)

if (existsSync(script)) {
  const { error, status } = spawnSync(process.execPath, [script, ...args], { stdio: "inherit" })
  if (error !== undefined) throw error
  process.exitCode = status ?? 1
} else {
  const names = readdirSync(folder)
    .filter((file) => file.endsWith(".ts"))
    .map((file) => file.slice(0, -".ts".length))
  console.error(`usage: pnpm bench <name> [arguments]\n\nnames: ${names.join(", ")}`)
  process.exitCode = 2
}
