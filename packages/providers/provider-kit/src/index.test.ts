/** The names that the package exports. */
import { expect, it } from "vitest"
import * as kit from "./index.ts"

it("@planloom/provider-kit exports exactly these names", () => {
  expect(Object.keys(kit).toSorted()).toMatchInlineSnapshot(`
    [
      "MAX_CONTINUATIONS",
      "RefusedForms",
      "answerTool",
      "argumentsText",
      "brokenOff",
      "chunksOfTurn",
      "classifyStatus",
      "collectReply",
      "defaultLimits",
      "describeOutput",
      "embedInBatches",
      "guardKeys",
      "isContextLengthMessage",
      "isProviderError",
      "listed",
      "loadSdk",
      "mergeNeighbors",
      "messageInBody",
      "missingKeyMessage",
      "parseLimits",
      "parseRetryAfter",
      "parseToolArguments",
      "readParts",
      "readWholeReply",
      "readWholeTurn",
      "redact",
      "replySizeLimit",
      "replyStateOf",
      "secretKey",
      "sendRequest",
      "serviceName",
      "streamRequest",
      "toModelFailed",
      "toolCallOf",
      "transportError",
      "tryRead",
      "unknownUsage",
      "unreadableReply",
      "withReplyState",
      "withServiceNames",
    ]
  `)
})
