/** Stands for `Intl.Segmenter` in the bundle: the real one, made when a text first needs it. */

/** `effect/cli` makes one as it is loaded, which takes 15 ms; help and most texts never use it. */
export class LazySegmenter {
  readonly #given: ConstructorParameters<typeof Intl.Segmenter>
  #real: Intl.Segmenter | undefined

  constructor(...given: ConstructorParameters<typeof Intl.Segmenter>) {
    this.#given = given
  }

  segment(text: string): Intl.Segments {
    const { Segmenter } = Intl
    return (this.#real ??= new Segmenter(...this.#given)).segment(text)
  }
}
