/** Packs all packages once for the tests that install them. */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { TestProject } from "vitest/node"
import { pack } from "../.ci/pack.ts"

declare module "vitest" {
  export interface ProvidedContext {
    /** Paths of the packed packages. */
    readonly tarballs: ReadonlyArray<string>
  }
}

export default async (project: TestProject): Promise<() => Promise<void>> => {
  const folder = await mkdtemp(join(tmpdir(), "planloom-packed-"))
  project.provide("tarballs", await pack(folder))
  return () => rm(folder, { recursive: true, force: true })
}
