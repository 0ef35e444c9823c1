/** Kinds of personal data that can be found in a text. */

export const piiKinds = [
  "email",
  "phone",
  "iban",
  "clabe",
  "cbu",
  "routing",
  "card",
  "ssn",
  "cpf",
  "dni",
  "nif",
  "ip",
] as const
export type PiiKind = (typeof piiKinds)[number]

/** The kinds that are searched unless others are named: an IP address is often that of a server. */
export const usualPiiKinds: ReadonlyArray<PiiKind> = piiKinds.filter((kind) => kind !== "ip")

/** `end` is exclusive. */
export interface PiiSpan {
  readonly kind: PiiKind
  readonly start: number
  readonly end: number
}

/** Finds one kind. */
export interface PiiDetector {
  readonly kind: PiiKind
  /** Length of the longest match. */
  readonly longest: number
  /** Matches in order, none of which overlap. */
  readonly find: (text: string) => ReadonlyArray<Omit<PiiSpan, "kind">>
  /**
   * The end of a text that more text could turn into a match or lengthen. It is tested on the last characters of the text:
   * twice as many as the longest match has.
   */
  readonly open: RegExp
}
