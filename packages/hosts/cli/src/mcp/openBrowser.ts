/** Opens an address in the person's browser, where there is one. */
import { spawn } from "node:child_process"

/** Whether a browser was started cannot be known: the address is printed, too. */
export const openBrowser = (url: string): void => {
  const [command, args] = opener(url)
  spawn(command, args, { stdio: "ignore", detached: true })
    // The address is on the terminal.
    .on("error", () => {})
    .unref()
}

const opener = (url: string): readonly [command: string, args: ReadonlyArray<string>] => {
  if (process.platform === "darwin") return ["open", [url]]
  if (process.platform === "win32") return ["rundll32", ["url.dll,FileProtocolHandler", url]]
  return ["xdg-open", [url]]
}
