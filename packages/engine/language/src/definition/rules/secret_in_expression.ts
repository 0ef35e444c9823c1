/** PL6001: an expression reads a secret. */
import type { Rule } from "./Rule.ts"

export const secretInExpression: Rule = {
  code: "PL6001",
  slug: "secret_in_expression",
  severity: "error",
  title: "An expression reads a secret",
  why: "The value of an expression ends up in prompts, events and logs.",
  fix: "Pass the secret to the plugin that needs it, in `planloom.yaml`.",
  wrong: 'with: { key: "${{ secrets.API_KEY }}" }',
  right: "# planloom.yaml\nplugins: { acme: { key: { secret: API_KEY } } }",
}
