/** Writes the package.json of a new project unless one exists. */
import { basename, join, resolve } from "node:path"
import { engineVersion } from "../packageRoot.ts"
import { writeNew } from "./templates.ts"

export const scripts = {
  check: "planloom check",
  plan: "planloom plan",
  test: "planloom test",
} as const

export const writePackage = async (folder: string): Promise<"written" | "kept"> => {
  const manifest = {
    name: packageName(basename(resolve(folder))),
    private: true,
    type: "module",
    scripts,
    devDependencies: { "@planloom/cli": `^${engineVersion()}` },
  }
  const isNew = await writeNew(
    join(folder, "package.json"),
    `${JSON.stringify(manifest, null, 2)}\n`,
  )
  return isNew ? "written" : "kept"
}

/** Converts the folder's name to a valid npm package name. */
const packageName = (folder: string): string =>
  folder
    .toLowerCase()
    .replaceAll(/[^a-z0-9._-]+/g, "-")
    .replace(/^[._-]+/, "") || "planloom-project"
