/** Makes the files of a new project from a template, for a provider and a package manager. */
import { readdir, readFile } from "node:fs/promises"
import { join, relative } from "node:path"
import { fileURLToPath } from "node:url"
import { engineVersion, packageRoot } from "../packageRoot.ts"
import { providerOf, sdkDependency } from "./Provider.ts"
import { templateOf } from "./Template.ts"
import { templateValues, type ProjectChoice } from "./templateValues.ts"

/** Contents by path from the folder of the project. */
export const projectFiles = async (choice: ProjectChoice): Promise<ReadonlyMap<string, string>> => {
  const values = templateValues(choice)
  const files = new Map<string, string>()
  for (const root of [templateFolder("shared"), templateFolder(choice.template)]) {
    for (const path of await filesIn(root)) {
      const text = await readFile(join(root, path), "utf8")
      files.set(
        path.replaceAll(/(^|[/\\])dot-/g, "$1."),
        text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => values[name]!),
      )
    }
  }
  return files.set("package.json", `${JSON.stringify(manifestOf(choice), null, 2)}\n`)
}

/** npm excludes some dot files from packages, so `.gitignore` is stored as `dot-gitignore`. */
const templateFolder = (name: string): string =>
  fileURLToPath(new URL(`templates/${name}/`, packageRoot))

const filesIn = async (root: string): Promise<ReadonlyArray<string>> =>
  (await readdir(root, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .toSorted()

const manifestOf = ({ name, provider: providerName, template: templateName }: ProjectChoice) => {
  const template = templateOf(templateName)
  const provider = providerOf(providerName)
  return {
    name: packageName(name),
    private: true,
    type: "module",
    scripts: {
      // Editors find the schemas of the installed version, also after a clone and an upgrade.
      postinstall: "planloom schema",
      check: "planloom check",
      test: "planloom test",
      ...(template.isMeasured && { eval: "planloom eval" }),
    },
    dependencies: {
      "@planloom/cli": `^${engineVersion()}`,
      ...template.dependencies,
      ...(provider && sdkDependency(provider)),
    },
  }
}

/** Converts the folder's name to a valid npm package name. */
const packageName = (folder: string): string =>
  folder
    .toLowerCase()
    .replaceAll(/[^a-z0-9._-]+/g, "-")
    .replace(/^[._-]+/, "") || "planloom-project"
