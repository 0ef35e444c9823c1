/** Names without values. */
import type { Frame } from "./Frame.ts"
import { Node, scalar } from "./Node.ts"
import type { Reader } from "./Reader.ts"

/** `{1, 2}`: a Python set. */
export const becomeArray = (reader: Reader, frame: Frame): void => {
  const array = new Node("array", frame.node.start)
  reader.replace(frame, array)
  reader.mend("tuple", frame.node.start, array)
  frame.mode = "value"
}

/** A name without a value: the first of an object makes it a set, any other has none. */
export const noValue = (reader: Reader, frame: Frame): void => {
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
    becomeArray(reader, frame)
    reader.attach(frame, scalar("string", name.text, name.start, name.end))
    return
  }
  const missing = scalar("literal", null, name.start, name.end)
  missing.closed = false
  frame.node.add(missing, name.text)
  reader.mend("missing_value", name.end, missing)
  frame.mode = "after"
}
