/** Validator for bundles that run in a browser: the libraries that cannot be loaded on first use there are imported. Without Ajv. */
import * as formats from "ajv-formats/dist/formats.js"
import * as re2js from "re2js"
import { validatorOf as validator } from "./ajv.ts"
import { provide } from "./library.ts"
import type { JsonSchema, Validate } from "./Schema.ts"

/** As in `ajv.ts`, but throws a `TypeError` for the keywords that only Ajv supports, unless it is provided. */
export const validatorOf = (schema: JsonSchema): Validate => {
  provide({ re2js, "ajv-formats/dist/formats.js": formats })
  return validator(schema)
}
