/** PL3012: a trigger cannot start a run. */
import type { Rule } from "./Rule.ts"

export const badTrigger: Rule = {
  code: "PL3012",
  slug: "bad_trigger",
  severity: "error",
  title: "A trigger cannot start a run",
  why: "No request or time would start the workflow, or its runs would be refused for their inputs.",
  fix: "Write a cron expression with five or six fields, a known time zone and a declared secret, and give each required input.",
  wrong: 'on: { schedule: [{ cron: "0 25 * * *" }] }',
  right: 'on: { schedule: [{ cron: "0 9 * * *", zone: Europe/Berlin }] }',
}
