/** Bundles the command once for all test files of a run, so that Node's compile cache is warm from the second process on. */
import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import type { TestProject } from "vitest/node"
import { bundleCommand } from "../.ci/build.ts"

const cli = new URL("../packages/hosts/cli/", import.meta.url).pathname

/** In here, so that what is not bundled is resolved from there as it is from the package. */
const caches = join(cli, "node_modules/.cache")

declare module "vitest" {
  export interface ProvidedContext {
    /** Path of the bundled command's `bin.js`; `main.js` lies beside it. */
    readonly commandBin: string
    /** Path of esbuild's metafile of the bundle. */
    readonly commandMetafile: string
  }
}

export default async (project: TestProject): Promise<() => Promise<void>> => {
  await mkdir(caches, { recursive: true })
  const root = await mkdtemp(join(caches, "planloom-"))
  const metafile = await bundleCommand(join(root, "dist"), ["src/bin.ts", "src/main.ts"])
  await writeFile(join(root, "metafile.json"), JSON.stringify(metafile))
  await cp(join(cli, "package.json"), join(root, "package.json"))
  project.provide("commandBin", join(root, "dist/bin.js"))
  project.provide("commandMetafile", join(root, "metafile.json"))
  return () => rm(root, { recursive: true, force: true })
}
