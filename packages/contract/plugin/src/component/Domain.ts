/** Domains: rules on requirements, plans and data of one field, for planning stage kinds. */

/**
 * A domain of planning, such as tables. The engine passes it to stage kinds unchanged. `rules` is a `DomainRules` of
 * `@planloom/planning`; create a domain with its `planningDomain`.
 */
export interface Domain {
  readonly id: string
  readonly summary: string
  readonly rules: object
}
