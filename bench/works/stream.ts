/** A streamed reply of 400 words. */
import { replies } from "./words.ts"

export const start = () => replies("", [])
