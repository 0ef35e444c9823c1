/** PL4027: a workflow inside needs a user that this workflow does not have. */
import type { Rule } from "./Rule.ts"

export const nestedUser: Rule = {
  code: "PL4027",
  slug: "nested_user",
  severity: "error",
  title: "A workflow inside needs another user",
  why: "A run has one user, and every workflow inside reads the same. The stage would fail.",
  fix: "Declare in the outer workflow what the inner one needs of the user.",
  wrong:
    "# greet.yaml declares user: { type: object, required: [name], properties: { name: { type: string } } }\nuser: { type: object, properties: { id: { type: string } } }\nstages:\n  - { id: greet, uses: workflow, with: { path: ./greet.yaml } }",
  right:
    "user: { type: object, required: [name], properties: { name: { type: string } } }\nstages:\n  - { id: greet, uses: workflow, with: { path: ./greet.yaml } }",
}
