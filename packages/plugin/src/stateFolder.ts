/** Folder for the user's state of planloom, outside every project. */
import { homedir } from "node:os"
import { isAbsolute, join } from "node:path"

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
