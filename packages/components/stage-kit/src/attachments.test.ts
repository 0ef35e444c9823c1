/** Images beside the text of a request. */
import { execFileSync } from "node:child_process"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { makeContext } from "../test/context.ts"
import { withAttachments } from "./attachments.ts"

const { context } = makeContext()

describe("attachments", () => {
  it.effect("are parts before the text, and nothing without any", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* withAttachments("What is it?", undefined, context), "What is it?")
      assert.deepStrictEqual(
        yield* withAttachments(
          "What is it?",
          ["data:image/png;base64,aGk=", "photos/cat.png"],
          context,
        ),
        [
          { type: "image", mediaType: "image/png", data: "aGk=" },
          // As the context of the run reads a file.
          { type: "image", mediaType: "image/png", data: "sha256:photos/cat.png" },
          { type: "text", text: "What is it?" },
        ],
      )
    }),
  )

  it.effect("that are no images, of another type or too large fail without their data", () =>
    Effect.gen(function* () {
      const failing = (url: string) => Effect.flip(withAttachments("?", [url], context))
      for (const url of [
        "https://example.org/a.png",
        "data:image/png,abc",
        "data:image/png;base64,==",
        "data:image/png;base64,aG=k",
        "data:image/png;base64,aGk===",
        "file:///etc/passwd",
      ]) {
        const { class: reason, message } = yield* failing(url)
        assert.strictEqual(reason, "invalid_request")
        assert.include(message, "attach[0] is not an image")
        assert.notInclude(message, url)
      }
      assert.include(
        (yield* failing("data:application/pdf;base64,aGk=")).message,
        "has the type application/pdf",
      )
      const large = `data:image/png;base64,${"A".repeat(7 * 1024 * 1024)}`
      assert.match((yield* failing(large)).message, /has \d+ bytes; an image can have 5242880/)
    }),
  )

  it("are read where the engine optimizes no regular expressions, as in a process that compiled many", () => {
    const module = new URL("./attachments.ts", import.meta.url).href
    const script = `
      import { Effect } from "effect"
      import { withAttachments } from ${JSON.stringify(module)}
      const data = "A".repeat(6 * 1024 * 1024)
      const content = Effect.runSync(withAttachments("?", ["data:image/png;base64," + data], {}))
      console.log(content[0].data.length)`
    assert.strictEqual(
      execFileSync(
        process.execPath,
        ["--no-regexp-optimization", "--input-type=module", "--eval", script],
        { cwd: import.meta.dirname, encoding: "utf8" },
      ),
      "6291456\n",
    )
  })
})
