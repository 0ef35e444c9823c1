/** Reading a provider's API key from the host's secrets. */
import { assert, describe, it } from "vitest"
import type { Host } from "@planloom/plugin/effect"
import { missingKeyMessage, secretKey } from "./secretKey.ts"

const keyOf = (value: string | undefined) =>
  secretKey("ACME_KEY", { secret: () => value } as unknown as Host)

describe("secretKey", () => {
  it("returns the value of the secret", () => {
    assert.deepEqual(keyOf("sk-1_a.b"), { name: "ACME_KEY", value: "sk-1_a.b" })
    assert.strictEqual(keyOf("sk-1\n").value, "sk-1\n")
  })

  it("reports a missing key if the secret is undefined", () => {
    const key = keyOf(undefined)
    assert.isUndefined(key.value)
    assert.include(missingKeyMessage(key), "there is no key: name ACME_KEY under secrets:")
  })

  it.each(["", "  \n"])("reports an empty key if the secret is %j: it is named", (value) => {
    const key = keyOf(value)
    assert.isUndefined(key.value)
    assert.include(missingKeyMessage(key), "the key in ACME_KEY is empty: set it in .env")
  })

  it.each(["sk-1\nsk-2", "“sk-1”", "sk 1", "sk–1"])(
    "reports a key that no header can carry, such as %j, without showing it",
    (value) => {
      const key = keyOf(value)
      assert.isUndefined(key.value)
      assert.include(missingKeyMessage(key), "ACME_KEY cannot be sent")
      assert.notInclude(missingKeyMessage(key), value)
    },
  )
})
