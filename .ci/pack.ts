/** Builds and packs every package into a folder, as the registry would get them, and checks the tarballs. */
import { spawnSync } from "node:child_process"
import { readFileSync, readdirSync } from "node:fs"
import { join, resolve } from "node:path"
import { publint } from "publint"
import { formatMessage } from "publint/utils"
import { build } from "./build.ts"
import { pnpmCommand } from "./pnpmCommand.ts"

const root = join(import.meta.dirname, "..")

const pnpm = (...args: ReadonlyArray<string>) => {
  const [command, ...first] = pnpmCommand()
  const result = spawnSync(command, [...first, ...args], { cwd: root, encoding: "utf8" })
  if (result.status !== 0)
    throw new Error(`pnpm ${args.join(" ")}\n${result.stdout}${result.stderr}`)
}

/** Throws with every complaint about a tarball. */
const inspect = async (tarball: string) => {
  const bytes = readFileSync(tarball)
  const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength)
  const { messages, pkg } = await publint({
    pack: { tarball: buffer },
    level: "warning",
    strict: true,
  })
  if (messages.length > 0)
    throw new Error(
      messages.map((message) => `${pkg["name"]}: ${formatMessage(message, pkg)}`).join("\n"),
    )
}

/** Packs all packages into `folder` and answers the tarballs' paths. */
export const pack = async (folder: string): Promise<ReadonlyArray<string>> => {
  await build()
  pnpm("-r", "--filter", "./packages/*/*", "pack", "--pack-destination", folder)
  const tarballs = readdirSync(folder)
    .filter((name) => name.endsWith(".tgz"))
    .map((name) => join(folder, name))
  for (const tarball of tarballs) await inspect(tarball)
  return tarballs
}

if (import.meta.main) {
  const folder = process.argv[2]
  if (folder === undefined) {
    console.error("usage: pnpm tarballs <folder>")
    process.exitCode = 2
  } else for (const tarball of await pack(resolve(folder))) console.log(tarball)
}
