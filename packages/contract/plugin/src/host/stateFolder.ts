/** Folder for the user's state of planloom, outside every project, and how files in it are written. */
import { randomUUID } from "node:crypto"
import { mkdir, rename, rm, writeFile } from "node:fs/promises"
import { homedir } from "node:os"
import { dirname, isAbsolute, join } from "node:path"

/** `PLANLOOM_STATE_DIR` takes precedence. Relative paths could be inside a project and are ignored, as in the XDG specification. */
export const stateFolder = (
  env: NodeJS.ProcessEnv = process.env,
  platform: NodeJS.Platform = process.platform,
  home: string = homedir(),
): string => {
  const absolute = (name: string) => {
    const value = env[name] ?? ""
    return isAbsolute(value) ? value : undefined
  }
  const byPlatform = () => {
    if (platform === "win32") return absolute("LOCALAPPDATA") ?? join(home, "AppData", "Local")
    if (platform === "darwin") return join(home, "Library", "Application Support")
    return absolute("XDG_STATE_HOME") ?? join(home, ".local", "state")
  }
  return absolute("PLANLOOM_STATE_DIR") ?? join(byPlatform(), "planloom")
}

/** Creates a folder that only the user may look into, with those around it. */
export const makePrivateFolder = (folder: string): Promise<unknown> =>
  mkdir(folder, { recursive: true, mode: 0o700 })

/** Writes a file that only the user may read. Another process sees the file before or after, never a part. */
export const writePrivately = async (file: string, text: string): Promise<void> => {
  await makePrivateFolder(dirname(file))
  const temporary = `${file}.${randomUUID()}`
  try {
    await writeFile(temporary, text, { mode: 0o600 })
    await rename(temporary, file)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}
