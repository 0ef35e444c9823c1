/** Which slips are mended, and what is left alone. */
import { assert, it } from "vitest"
import { mended } from "./mended.ts"

const known = new Set(["bluetooth", "open", "camera", "battery", "search", "turn", "power", "text"])

it.each([
  ["blutooth off", "bluetooth off"],
  ["opne the camera", "open the camera"],
  ["BATTRY?", "battery?"],
  ["serach, trun", "search, turn"],
  ["the camwra", "the camera"],
])("mends a letter that is missing, doubled, exchanged or wrong: %s", (written, meant) =>
  assert.strictEqual(mended(written, known), meant),
)

it.each([
  "turn on the camera",
  "my test",
  'search "opne blutooth"',
  "write to Opne",
  "blutooth.txt is in x_opne",
  "pwr trn",
  "",
])("leaves alone what is known, short, quoted, a name, or too far: %j", (text) =>
  assert.strictEqual(mended(text, known), text),
)

it("leaves alone what may mean either of two words", () =>
  assert.strictEqual(mended("clal", new Set(["call", "clalm", "claal"])), "clal"))
