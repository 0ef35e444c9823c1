/** The shape of `apiVersion` and `kind`, with which every file starts. */
import { required } from "./object.ts"
import { oneOf } from "./scalars.ts"

export const apiVersion = "planloom/v1"

export const header = <const K extends string>(kind: K) => ({
  apiVersion: required(oneOf(apiVersion), "The version of the format."),
  kind: required(oneOf(kind), "What the file is."),
})
