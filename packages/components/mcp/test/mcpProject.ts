/** A project in the folder of the tests, with one workflow that uses this plugin. */
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import stages from "@planloom/stages"
import plugin from "../src/index.ts"
import { testFolder } from "./callServer.ts"

export const options = {
  plugins: { "@planloom/stages": async () => stages, "@planloom/mcp": async () => plugin },
}

let projects = 0

/** The folder of a new project. */
export const newProject = (): string => {
  const folder = join(testFolder(), `mcp-project-${++projects}`)
  mkdirSync(folder)
  writeFileSync(join(folder, "planloom.yaml"), "apiVersion: planloom/v1\nkind: Project\n")
  return folder
}

/** Writes the workflow and gives its path; `body` follows its header. */
export const writeFlow = (folder: string, body: string): string => {
  const path = join(folder, "flow.yaml")
  writeFileSync(
    path,
    `apiVersion: planloom/v1
kind: Workflow
name: flow
use: { plugins: ["@planloom/stages", "@planloom/mcp"] }
${body}`,
  )
  return path
}
