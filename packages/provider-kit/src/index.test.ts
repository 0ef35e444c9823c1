/** What the package gives, by name. */
import { expect, it } from "vitest"
import * as kit from "./index.ts"

it("exports exactly this", () => {
  expect(Object.keys(kit).toSorted()).toMatchInlineSnapshot(`
    [
      "addressFault",
      "answerTool",
      "askParts",
      "askWhole",
      "broken",
      "classOf",
      "clean",
      "embedIn",
      "failureOf",
      "foldParts",
      "isTrouble",
      "limitsOf",
      "missingKey",
      "ownLimit",
      "readParts",
      "readable",
      "replyOf",
      "retryAfter",
      "saidIn",
      "secretKey",
      "tooLong",
      "toolArguments",
      "unreadable",
      "untold",
      "usualLimits",
    ]
  `)
})
