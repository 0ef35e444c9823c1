/** The stored form of a value of a facet. */

/** Characters; a longer value is a text rather than a name. */
const MAX_VALUE = 200

export const facetValue = (value: string): string => value.trim().slice(0, MAX_VALUE)
