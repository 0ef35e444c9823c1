/** Text as part of a URL. */

/** Percent-encodes all but unreserved characters, RFC 3986. */
export const encode = (text: string): string =>
  encodeURIComponent(text.toWellFormed()).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
