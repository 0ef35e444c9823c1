/** Every table that is asked. */
import type { QuestionedTable } from "../Question.ts"
import { barley } from "./barley.ts"
import { cars } from "./cars.ts"
import { disasters } from "./disasters.ts"
import { employment } from "./employment.ts"
import { gapminder } from "./gapminder.ts"
import { movies } from "./movies.ts"
import { bigParquet, emptyTable, fiveDates, hostileNames, mixedTypes } from "./odd.ts"
import { penguins } from "./penguins.ts"
import { sales } from "./sales.ts"
import { stocks } from "./stocks.ts"
import { supportTickets } from "./supportTickets.ts"
import { weather } from "./weather.ts"

export const tables: ReadonlyArray<QuestionedTable> = [
  sales,
  supportTickets,
  weather,
  stocks,
  cars,
  gapminder,
  movies,
  barley,
  penguins,
  disasters,
  employment,
  fiveDates,
  hostileNames,
  mixedTypes,
  emptyTable,
  bigParquet,
]
