/** The files of a project: which there are, and which a person means by a name. */
import { readdir, stat } from "node:fs/promises"
import { join } from "node:path"

/** Folders of a project that hold YAML; see the kinds of files in the documentation. */
const folders = ["workflows", "hooks", "templates", "catalog"]
const projectFile = "planloom.yaml"

const isYaml = (name: string): boolean => /\.ya?ml$/.test(name)
export const isTest = (name: string): boolean => /\.test\.ya?ml$/.test(name)
export const isEvaluation = (name: string): boolean => /\.eval\.ya?ml$/.test(name)

/** What lies beside a workflow and is about it. */
export const isAboutWorkflow = (name: string): boolean => isTest(name) || isEvaluation(name)

/** Every YAML file of a folder and the folders in it, sorted; nothing when it is not there. */
export const yamlIn = async (folder: string): Promise<ReadonlyArray<string>> => {
  try {
    const names = await readdir(folder, { recursive: true, withFileTypes: true })
    return (
      names
        .filter((entry) => entry.isFile() && isYaml(entry.name))
        .map((entry) => join(entry.parentPath, entry.name))
        // Recordings are data, whatever they end in.
        .filter((path) => !/(^|[/\\])cassettes[/\\]/.test(path))
        .filter((path) => !/(^|[/\\])(node_modules|\.[^./\\][^/\\]*)[/\\]/.test(path))
        .toSorted()
    )
  } catch {
    return []
  }
}

/** All files of the project in the current folder. */
export const projectFiles = async (): Promise<ReadonlyArray<string>> => {
  const found = await Promise.all(folders.map(yamlIn))
  return [...((await isFile(projectFile)) ? [projectFile] : []), ...found.flat()]
}

/** The files and folders a person named, folders opened; the whole project without any. `-` stays. */
export const namedFiles = async (paths: ReadonlyArray<string>): Promise<ReadonlyArray<string>> => {
  if (paths.length === 0) return projectFiles()
  const found = await Promise.all(
    paths.map(async (path) => ((await isFolder(path)) ? await yamlIn(path) : [path])),
  )
  return [...new Set(found.flat())]
}

/** The workflows of the project in the current folder, without their tests and evaluations. */
export const workflowFiles = async (): Promise<ReadonlyArray<string>> =>
  (await yamlIn("workflows")).filter((path) => !isAboutWorkflow(path))

export const isFile = async (path: string): Promise<boolean> =>
  (await stat(path).catch(() => undefined))?.isFile() === true

export const isFolder = async (path: string): Promise<boolean> =>
  (await stat(path).catch(() => undefined))?.isDirectory() === true
