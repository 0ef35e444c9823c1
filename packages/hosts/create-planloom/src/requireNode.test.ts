/** The versions of Node with which a project is written. */
import { expect, it } from "vitest"
import { requireNode } from "./requireNode.ts"

it.each(["20.20.2", "22.18.0"])("rejects Node %s before a file is written", (version) => {
  expect(() => requireNode(version)).toThrow(`needs Node 22.19 or newer; this is Node ${version}`)
})

it.each(["22.19.0", "24.0.0"])("accepts Node %s", (version) => {
  expect(() => requireNode(version)).not.toThrow()
})
