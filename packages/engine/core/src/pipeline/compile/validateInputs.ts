/** The inputs of a run against what the workflow declares. */
import type { SchemaIssue, Validate } from "@planloom/schema"
import { validatorOf } from "@planloom/schema/ajv"
import type { Definition } from "@planloom/language"

/** Each input by its own schema: references and the dialect of one are not those of another. */
export const validateInputs = ({ inputs }: Definition): Validate => {
  const declared = Object.entries(inputs).map(([name, schema]) => ({
    name,
    validate: validatorOf(schema),
    required: typeof schema !== "object" || !Object.hasOwn(schema, "default"),
  }))
  return (value) => {
    const given = value as { readonly [name: string]: Parameters<Validate>[0] }
    const issues: Array<SchemaIssue> = []
    for (const { name, required, validate } of declared) {
      if (Object.hasOwn(given, name)) {
        for (const issue of validate(given[name]!))
          issues.push({ ...issue, path: `/${name}${issue.path}` })
      } else if (required) {
        issues.push(keyIssue("required", name, "lacks the key"))
      }
    }
    for (const name of Object.keys(given)) {
      if (!Object.hasOwn(inputs, name))
        issues.push(keyIssue("additionalProperties", name, "has an unknown key"))
    }
    return issues
  }
}

const keyIssue = (keyword: string, property: string, words: string): SchemaIssue => ({
  path: "",
  message: `${words} "${property}"`,
  keyword,
  property,
})
