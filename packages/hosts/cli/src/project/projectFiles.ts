/** Finds the YAML files of a project and the files that paths on the command line name. */
import { readdir, stat } from "node:fs/promises"
import { join } from "node:path"

/** Folders of a project that contain YAML files. */
const folders = ["workflows", "hooks", "templates", "catalog"]
export const projectFile = "planloom.yaml"

const isYaml = (name: string): boolean => /\.ya?ml$/.test(name)
export const isTest = (name: string): boolean => /\.test\.ya?ml$/.test(name)
export const isEvaluation = (name: string): boolean => /\.eval\.ya?ml$/.test(name)

/** Whether a file is a test or an evaluation of a workflow. */
export const isAboutWorkflow = (name: string): boolean => isTest(name) || isEvaluation(name)

/** Returns every YAML file of a folder and its subfolders, sorted; empty if the folder does not exist. */
export const yamlIn = async (folder: string): Promise<ReadonlyArray<string>> => {
  try {
    const names = await readdir(folder, { recursive: true, withFileTypes: true })
    return (
      names
        .filter((entry) => entry.isFile() && isYaml(entry.name))
        .map((entry) => join(entry.parentPath, entry.name))
        // Recordings are data, whatever their extension.
        .filter((path) => !/(^|[/\\])cassettes[/\\]/.test(path))
        .filter((path) => !/(^|[/\\])(node_modules|\.[^./\\][^/\\]*)[/\\]/.test(path))
        .toSorted()
    )
  } catch {
    return []
  }
}

/** Returns all YAML files of the project in the current folder. */
export const projectFiles = async (): Promise<ReadonlyArray<string>> => {
  const found = await Promise.all(folders.map(yamlIn))
  return [...((await isFile(projectFile)) ? [projectFile] : []), ...found.flat()]
}

/** Returns the named files and the files of named folders; without paths, the whole project. Keeps `-`. */
export const namedFiles = async (paths: ReadonlyArray<string>): Promise<ReadonlyArray<string>> => {
  if (paths.length === 0) return projectFiles()
  const found = await Promise.all(
    paths.map(async (path) => ((await isFolder(path)) ? await yamlIn(path) : [path])),
  )
  return [...new Set(found.flat())]
}

/** Returns the workflows of the project in the current folder, without tests and evaluations. */
export const workflowFiles = async (): Promise<ReadonlyArray<string>> =>
  (await yamlIn("workflows")).filter((path) => !isAboutWorkflow(path))

export const isFile = async (path: string): Promise<boolean> =>
  (await stat(path).catch(() => undefined))?.isFile() === true

export const isFolder = async (path: string): Promise<boolean> =>
  (await stat(path).catch(() => undefined))?.isDirectory() === true
