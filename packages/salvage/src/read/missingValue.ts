/** Handles names without values. */
import type { Frame } from "./Frame.ts"
import { Node, scalar } from "./Node.ts"
import type { Reader } from "./Reader.ts"

/** `{1, 2}`: a Python set. */
export const convertToArray = (reader: Reader, frame: Frame): void => {
  const array = new Node("array", frame.node.start)
  reader.replace(frame, array)
  reader.repair("tuple", frame.node.start, array)
  frame.mode = "value"
}

/** The first name of an object without a value makes it a set; any later one gets a missing value. */
export const missingValue = (reader: Reader, frame: Frame): void => {
  const { name } = frame
  frame.name = undefined
  if (name === undefined) return
  if (
    frame.node.size === 0 &&
    !reader.cut &&
    name.quoted &&
    frame.mode === "value" &&
    frame.from < 0
  ) {
    convertToArray(reader, frame)
    reader.attach(frame, scalar("string", name.text, name.start, name.end))
    return
  }
  const missing = scalar("literal", null, name.start, name.end)
  missing.closed = false
  frame.node.add(missing, name.text)
  reader.repair("missing_value", name.end, missing)
  frame.mode = "after"
}
