/** Signs that a text of another client's file is a secret, or has one in it. Rather too many than too few. */

const NAME =
  "key|token|secret|passw|passphrase|pwd|auth|credential|bearer|cookie|session|private|signature|dsn|connection"

const SECRET_NAME = new RegExp(`${NAME}|(?:^|_)(?:pat|pass)(?:$|_)`, "i")

/** A value beside such a name, which is no placeholder; a value after `Bearer`; a password in a URL; a token of a known service. */
const SECRET_PART = [
  new RegExp(`(?:${NAME})[\\w-]*["']?\\s*[=:]\\s*["']?[^\\s$"']`, "i"),
  /\b(?:bearer|basic)\s+[^\s$]/i,
  /:\/\/[^/\s]*@/,
  /\b(?:sk|pk|rk|gh[opsur]|xox[a-z]|glpat|github_pat|npm|hf)[-_]\w|\b(?:AKIA|AIza|eyJ)\w/,
]

/** Texts in which `/` separates names. */
const PATH = /^(?:@[a-z]|[./~]|[A-Za-z]:[\\/]|[a-z]+:\/\/)/
const WORD = /^(?:[A-Z]?[a-z]{0,24}|[A-Z]{1,24})\d{0,8}$/
const LONG = 16

export const isSecretName = (name: string): boolean => SECRET_NAME.test(name)

export const looksSecret = (text: string): boolean =>
  SECRET_PART.some((part) => part.test(text)) ||
  text
    .replaceAll(/\$\{[^}]*\}/g, " ")
    .split(PATH.test(text) ? /[^\w+=-]+/ : /[^\w+/=-]+/)
    .some((run) => run.length >= LONG && !run.split(/[-_/=+]/).every((part) => WORD.test(part)))
