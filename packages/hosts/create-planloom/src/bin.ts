#!/usr/bin/env node
/** Entry point of `npm create planloom`. */
import { parseArgs } from "node:util"
import { NotCreated } from "./NotCreated.ts"
import { engineVersion } from "./packageRoot.ts"
import { requireNode } from "./requireNode.ts"
import { initProject } from "./project/initProject.ts"
import { providerNames } from "./project/Provider.ts"
import { templateNames, templateOf } from "./project/Template.ts"

/** As those of `planloom`. */
const codes = { ok: 0, interrupted: 130, not_installed: 3, usage: 2, exists: 1, unwritten: 3 }

const help = `npm create planloom [folder] -- [flags]

Writes a Planloom project and installs it. Asks at a terminal for what is not given;
elsewhere, and with --yes, it uses --template table --provider none.

  --template ${templateNames.join("|")}
${templateNames.map((name) => `      ${name.padEnd(9)} ${templateOf(name).summary}`).join("\n")}
  --provider ${providerNames.join("|")}
  --no-install   write the files only
  --yes          ask nothing
`

const parse = () => {
  try {
    return parseArgs({
      allowPositionals: true,
      allowNegative: true,
      options: {
        template: { type: "string" },
        provider: { type: "string" },
        install: { type: "boolean", default: true },
        yes: { type: "boolean", default: false },
        help: { type: "boolean", short: "h" },
        version: { type: "boolean", short: "v" },
      },
    })
  } catch (error) {
    throw new NotCreated("usage", (error as Error).message, "npm create planloom -- --help")
  }
}

const run = async (): Promise<keyof typeof codes> => {
  const { positionals, values } = parse()
  if (values.help || values.version) {
    process.stdout.write(values.help ? help : `create-planloom v${engineVersion()}\n`)
    return "ok"
  }
  requireNode()
  if (positionals.length > 1) {
    throw new NotCreated("usage", `there is more than one folder: ${positionals.join(", ")}`)
  }
  const { install, provider, template, yes } = values
  return await initProject(
    { dir: positionals[0], template, provider, yes, install },
    {
      print: (line) => process.stdout.write(`${line}\n`),
      say: (text) => process.stderr.write(`${text}\n`),
      isInteractive: process.stdin.isTTY && process.stderr.isTTY && process.env["TERM"] !== "dumb",
    },
  )
}

try {
  process.exitCode = codes[await run()]
} catch (error) {
  if (!(error instanceof NotCreated)) throw error
  const { help: fix, message, reason } = error
  process.stderr.write(`error: ${message}\n${fix === undefined ? "" : `  help: ${fix}\n`}`)
  process.exitCode = codes[reason]
}
