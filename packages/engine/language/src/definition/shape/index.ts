/** Shapes for kinds of files that other packages bring: decoding with positions, and JSON Schema for editors. */
export { type Shape, toJsonSchema } from "../Shape.ts"
export { byType, jsonObject, list, map, record } from "./collections.ts"
export { header } from "./header.ts"
export { defaulted, object, optional, required, type Field } from "./object.ts"
export { boolean, expression, number, text, json, duration, oneOf } from "./scalars.ts"
export { flagValue } from "./flag.ts"
export { past } from "./past.ts"
