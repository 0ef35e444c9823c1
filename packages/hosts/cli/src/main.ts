/** Runs the process: prints the version without loading the command, runs everything else, reports defects. */
import { endProcess } from "./endProcess.ts"
import { exitCode } from "./ExitCode.ts"
import { takeStray } from "./strayErrors.ts"
import { standardError, standardOutput } from "./terminal/Output.ts"
import { version } from "./version.ts"

/** Runs a command line and ends the process. */
export const main = (args: ReadonlyArray<string>): void => {
  if (args.length === 1 && (args[0] === "--version" || args[0] === "-v")) {
    standardOutput.write(`planloom v${version()}\n`)
    void endProcess()
    return
  }
  const onDefect = (error: unknown) => {
    standardError.write(defectReport(error, args.includes("--debug")))
    process.exit(exitCode("bug"))
  }
  const onStray = (error: unknown) => {
    if (!takeStray(error)) onDefect(error)
  }
  process.on("uncaughtException", (error: NodeJS.ErrnoException) => {
    // Node's line reader throws EIO on a closed terminal, sometimes before SIGHUP arrives.
    if (error.code === "EIO" && error.syscall === "setRawMode") process.kill(process.pid, "SIGHUP")
    else onStray(error)
  })
  process.on("unhandledRejection", onStray)
  import("./runCommandLine.ts").then(
    ({ runCommandLine }) => runCommandLine(args, version(), onDefect),
    onDefect,
  )
}

/** Formats the report of a defect. The stack trace is printed only with --debug. */
export const defectReport = (error: unknown, debug: boolean): string => {
  const what = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  const stack = debug && error instanceof Error ? `\n${error.stack ?? ""}\n` : ""
  const how = debug ? "" : "  Run it again with --debug to see where.\n"
  return (
    `planloom: this is a defect of planloom or of a plugin, not of your files: ${what}\n${stack}` +
    `  Please report it with the command and the file that cause it.\n${how}`
  )
}
