/** The tool `get_weather`: the weather of a city today, from the API of open-meteo.com, which needs no key. */
import { definePlugin, tool, toolSource } from "@planloom/plugin"

const GEOCODING = "https://geocoding-api.open-meteo.com/v1/search"
const FORECAST = "https://api.open-meteo.com/v1/forecast"
const DAILY = "temperature_2m_max,temperature_2m_min,precipitation_probability_max"

const getWeather = tool({
  name: "get_weather",
  summary: "Gives today's temperatures and chance of rain in a city.",
  effect: "read",
  params: {
    type: "object",
    properties: { city: { type: "string", minLength: 1, description: "Name of the city" } },
    required: ["city"],
    additionalProperties: false,
  },
  result: {
    type: "object",
    properties: {
      city: { type: "string" },
      country: { type: "string" },
      min_celsius: { type: "number" },
      max_celsius: { type: "number" },
      rain_percent: { type: "number" },
    },
    required: ["city", "country", "min_celsius", "max_celsius", "rain_percent"],
  },
  run: async ({ city }, { signal }) => {
    const found = await get<{ results?: ReadonlyArray<Place> }>(
      GEOCODING,
      { name: city, count: "1" },
      signal,
    )
    const place = found.results?.[0]
    // The model reads the message and can ask for another city.
    if (place === undefined) throw new Error(`there is no city "${city}"`)
    const { latitude, longitude } = place
    const { daily } = await get<{ daily: { [name: string]: ReadonlyArray<number> } }>(
      FORECAST,
      {
        latitude: String(latitude),
        longitude: String(longitude),
        daily: DAILY,
        forecast_days: "1",
      },
      signal,
    )
    return {
      city: place.name,
      country: place.country ?? "",
      min_celsius: daily["temperature_2m_min"]![0]!,
      max_celsius: daily["temperature_2m_max"]![0]!,
      rain_percent: daily["precipitation_probability_max"]![0]!,
    }
  },
})

interface Place {
  readonly name: string
  readonly country?: string
  readonly latitude: number
  readonly longitude: number
}

const get = async <A>(
  url: string,
  query: Record<string, string>,
  signal: AbortSignal,
): Promise<A> => {
  const response = await fetch(`${url}?${new URLSearchParams(query)}`, { signal })
  if (!response.ok) throw new Error(`${new URL(url).host} answered with status ${response.status}`)
  return (await response.json()) as A
}

export default definePlugin({
  id: "weather",
  summary: "The weather of a city.",
  components: {
    tools: [toolSource({ id: "weather", summary: "The weather of a city.", tools: [getWeather] })],
  },
})
