/** The process: answers the version by itself, starts everything else, and ends with the right code. */
import { readFileSync } from "node:fs"
import { endProcess } from "./endProcess.ts"
import { exitCode } from "./ExitCode.ts"
import { packageRoot } from "./packageRoot.ts"
import { standardError, standardOutput } from "./terminal/Output.ts"

/** Of the package this file is shipped in. */
export const version = (): string =>
  (
    JSON.parse(readFileSync(new URL("package.json", packageRoot), "utf8")) as {
      readonly version: string
    }
  ).version

/** Runs a command line and ends the process. */
export const main = (args: ReadonlyArray<string>): void => {
  if (args.length === 1 && (args[0] === "--version" || args[0] === "-v")) {
    standardOutput.write(`planloom v${version()}\n`)
    void endProcess()
    return
  }
  const broken = (error: unknown) => {
    standardError.write(faultReport(error, args.includes("--debug")))
    process.exit(exitCode("bug"))
  }
  process.on("uncaughtException", (error: NodeJS.ErrnoException) => {
    // Node's line reader throws it at a closed terminal, perhaps before the signal of the same meaning is there.
    if (error.code === "EIO" && error.syscall === "setRawMode") process.kill(process.pid, "SIGHUP")
    else broken(error)
  })
  process.on("unhandledRejection", broken)
  import("./runCommandLine.ts").then(
    ({ runCommandLine }) => runCommandLine(args, version(), broken),
    broken,
  )
}

/** What is said when we are at fault. The stack is for us, so it is only shown when asked for. */
export const faultReport = (error: unknown, debug: boolean): string => {
  const what = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  const stack = debug && error instanceof Error ? `\n${error.stack ?? ""}\n` : ""
  const how = debug ? "" : "  Run it again with --debug to see where.\n"
  return (
    `planloom: this is a fault of planloom or of a plugin, not of your files: ${what}\n${stack}` +
    `  Please report it, with the command and the file that cause it.\n${how}`
  )
}
