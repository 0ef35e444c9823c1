/** The failure of a public API, with a reason for people and models. */
export class ApiFailed extends Error {
  override readonly name = "ApiFailed"
}
