/** PL4034: a project file does not apply. */
import type { Rule } from "./Rule.ts"

export const ignoredProject: Rule = {
  code: "PL4034",
  slug: "ignored_project",
  severity: "warning",
  title: "A project file does not apply",
  why: "The file sets addresses that prompts and keys are sent to, and others may have written it: it is above the git repository or your home folder, belongs to another user, or may be changed by every user.",
  fix: "Move what you need to a planloom.yaml in the project. For your own file: `chown` it, or `chmod o-w` it.",
  wrong:
    "# /shared/planloom.yaml, above the repository /shared/clone\nmodels: { main: { try: [local/small] } }",
  right: "# /shared/clone/planloom.yaml\nmodels: { main: { try: [local/small] } }",
}
