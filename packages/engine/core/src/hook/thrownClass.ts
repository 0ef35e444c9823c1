/** The class of a thrown value, if it is one of the language: any other name is a word of the code that threw. */
const builtIn = [TypeError, RangeError, ReferenceError, SyntaxError, URIError, EvalError, Error]

const other = "a value that is no Error"

export const thrownClass = (error: unknown): string =>
  builtIn.find((known) => error instanceof known)?.name ?? other
