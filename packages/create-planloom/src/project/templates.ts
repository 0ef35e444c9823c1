/** Project templates: the folders of `templates/`, copied file by file. */
import { mkdir, readFile, readdir, writeFile } from "node:fs/promises"
import { dirname, join, relative } from "node:path"
import { fileURLToPath } from "node:url"
import { packageRoot } from "../packageRoot.ts"

export const templates = {
  plan: {
    summary: "a question about a table becomes requirements, a checked plan, numbers and a chart",
    run: 'planloom run analyse --input question="How did revenue develop by region each month?"',
    measured: true,
  },
  minimal: {
    summary: "the smallest workflow: open a table, total a column",
    run: "planloom run sales_by_region",
    measured: false,
  },
} as const

export type TemplateName = keyof typeof templates

/** npm excludes some dot files from packages, so this one is stored without its dot. */
const renamed: { readonly [name: string]: string } = { gitignore: ".gitignore" }

/** Copies a template without overwriting files. Returned paths are relative to the folder. */
export const writeTemplate = async (
  name: TemplateName,
  folder: string,
): Promise<{ readonly written: ReadonlyArray<string>; readonly kept: ReadonlyArray<string> }> => {
  const written: Array<string> = []
  const kept: Array<string> = []
  for (const root of [templateFolder("shared"), templateFolder(name)]) {
    for (const path of await filesIn(root)) {
      const target = renamed[path] ?? path
      const isNew = await writeNew(join(folder, target), await readFile(join(root, path)))
      ;(isNew ? written : kept).push(target)
    }
  }
  return { written, kept }
}

const templateFolder = (name: string): string =>
  fileURLToPath(new URL(`templates/${name}/`, packageRoot))

const filesIn = async (root: string): Promise<ReadonlyArray<string>> =>
  (await readdir(root, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .toSorted()

/** Writes a file unless it exists; returns whether it was written. */
export const writeNew = async (path: string, content: string | Uint8Array): Promise<boolean> => {
  await mkdir(dirname(path), { recursive: true })
  try {
    await writeFile(path, content, { flag: "wx" })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false
    throw error
  }
}
