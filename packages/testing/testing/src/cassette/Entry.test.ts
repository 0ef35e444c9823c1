/** A recorded call holds what it is compared by, without what is too long to read. */
import { assert, it } from "vitest"
import type { CassetteCall } from "@planloom/core/internal"
import { aboutOf } from "./Entry.ts"

it("the data of an image is recorded as its digest, so that another image differs", () => {
  const about = (data: string) =>
    aboutOf({
      about: {
        messages: [{ role: "user", content: [{ type: "image", mediaType: "image/png", data }] }],
      },
    } as unknown as CassetteCall)
  assert.notInclude(JSON.stringify(about("aGk=")), "aGk=")
  assert.match(JSON.stringify(about("aGk=")), /"data":"sha256:[0-9a-f]{64}"/)
  assert.notDeepEqual(about("aGk="), about("aGs="))
})
