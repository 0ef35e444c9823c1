/** Domains: what the planning stage kinds ask about requirements, plans and data of one field. */

/**
 * A domain of planning, such as tables. The engine hands it to stage kinds as it is; `DomainRules` of
 * `@planloom/planning` says what `rules` holds, and its `planningDomain` makes one.
 */
export interface Domain {
  readonly id: string
  readonly summary: string
  readonly rules: object
}
