/** Runs before every test file: the resources of shared modules start, and end after the file. */
import { afterAll } from "vitest"
import { endFile, startFile } from "./eachFile.ts"

await startFile()
afterAll(endFile)
