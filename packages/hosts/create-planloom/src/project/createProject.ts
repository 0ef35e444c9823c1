/** Writes the files of a new project, or refuses if one of them exists. */
import { lstat, mkdir, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { NotCreated } from "../NotCreated.ts"

/** Returns the written paths. Throws `NotCreated`; overwrites no file. */
export const createProject = async (
  folder: string,
  files: ReadonlyMap<string, string>,
): Promise<ReadonlyArray<string>> => {
  const paths = [...files.keys()].toSorted()
  const inTheWay = await existing(folder, paths)
  if (inTheWay.length > 0) {
    throw new NotCreated(
      "exists",
      `${folder} has files that the project would overwrite: ${inTheWay.join(", ")}`,
      "choose another folder, or move these files",
    )
  }
  for (const path of paths) {
    const file = join(folder, path)
    try {
      await mkdir(dirname(file), { recursive: true })
      await writeFile(file, files.get(path)!, { flag: "wx" })
    } catch (error) {
      throw unwritten(folder, error)
    }
  }
  return paths.map((path) => join(folder, path))
}

const existing = async (folder: string, paths: ReadonlyArray<string>) => {
  const found: Array<string> = []
  for (const path of paths) {
    try {
      await lstat(join(folder, path))
      found.push(path)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw unwritten(folder, error)
    }
  }
  return found
}

const unwritten = (folder: string, error: unknown) =>
  new NotCreated(
    "unwritten",
    `the project cannot be written to ${folder}: ${(error as Error).message}`,
  )
