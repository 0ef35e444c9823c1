/** The process: answers the version by itself, starts everything else, and ends with the right code. */
import { readFileSync } from "node:fs"
import { exitCode } from "./ExitCode.ts"
import { packageRoot } from "./packageRoot.ts"

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
    process.stdout.write(`planloom v${version()}\n`)
    return
  }
  const broken = (error: unknown) => {
    process.stderr.write(faultReport(error, args.includes("--debug")))
    process.exit(exitCode("bug"))
  }
  process.on("uncaughtException", broken)
  process.on("unhandledRejection", broken)
  // Whoever reads us may stop early: `planloom list tools | head -1`.
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EPIPE") process.exit(exitCode("ok"))
      else broken(error)
    })
  }
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
