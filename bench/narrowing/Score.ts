/** What a run over a set of queries comes to, in percent and milliseconds. */

const mean = (values: ReadonlyArray<number>) =>
  values.reduce((sum, value) => sum + value, 0) / values.length

const quantile = (values: ReadonlyArray<number>, share: number) =>
  values.toSorted((a, b) => a - b)[Math.floor(share * (values.length - 1))] ?? 0

/** The worth of a hit at a place, counted from 0. */
const gain = (place: number) => 1 / Math.log2(place + 2)

export class Score {
  private readonly recalls5: Array<number> = []
  private readonly recalls12: Array<number> = []
  private readonly ndcgs10: Array<number> = []
  private readonly times: Array<number> = []

  add(found: ReadonlyArray<string>, relevant: ReadonlyArray<string>, milliseconds: number): void {
    const wanted = new Set(relevant)
    const recall = (limit: number) =>
      found.slice(0, limit).filter((id) => wanted.has(id)).length / wanted.size
    this.recalls5.push(recall(5))
    this.recalls12.push(recall(12))
    let gained = 0
    found.slice(0, 10).forEach((id, place) => {
      if (wanted.has(id)) gained += gain(place)
    })
    let ideal = 0
    for (let place = 0; place < Math.min(10, wanted.size); place++) ideal += gain(place)
    this.ndcgs10.push(gained / ideal)
    this.times.push(milliseconds)
  }

  summary() {
    return {
      recall5: 100 * mean(this.recalls5),
      recall12: 100 * mean(this.recalls12),
      complete12: 100 * mean(this.recalls12.map((recall) => (recall === 1 ? 1 : 0))),
      ndcg10: 100 * mean(this.ndcgs10),
      p50: quantile(this.times, 0.5),
      p95: quantile(this.times, 0.95),
    }
  }
}
