/** A document that cannot be read, with the reason: "it is encrypted". */
export class Unreadable extends Error {}
