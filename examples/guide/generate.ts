/** Writes the tables of an invented conference. Seeded: every run gives the same bytes. README.md documents what is planted. */
import { writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { subjects, type Subject } from "./subjects.ts"
import { generator } from "../seededRandom.ts"

const DAYS = ["Tuesday", "Wednesday", "Thursday"]
const TIMES = ["09:00", "10:15", "11:30", "13:30", "14:45", "16:00"]
const FIRST =
  "Ada Bruno Chiara Dilan Elif Femi Grace Hiro Ines Jonas Kemal Lena Mateo Nadia Oskar Priya Quentin Rosa Sven Tala".split(
    " ",
  )
const LAST =
  "Almeida Becker Castro Dubois Eriksson Fischer García Haddad Ivanov Jansen Kowalski Lindqvist Müller Novák Okafor".split(
    " ",
  )
const CITIES = "Lisbon Hamburg Kraków Nairobi Osaka Toronto Valencia Zürich".split(" ")
const COMPANY = [
  "Northwind",
  "Bluestone",
  "Arcadia",
  "Kitewing",
  "Lumen",
  "Orchard",
  "Pinewood",
  "Quarry",
  "Riverbend",
  "Summit",
]
const KIND = ["Labs", "Works", "Systems", "Partners"]
const TITLES: ReadonlyArray<(one: Subject, aspect: string) => string> = [
  ({ name }, aspect) => `${name} in practice: ${aspect}`,
  ({ name }, aspect) => `Lessons from ${aspect}: ${name} after three years`,
  ({ name }, aspect) => `A field guide to ${aspect} for ${name}`,
]

const random = generator(35)
const one = <A>(list: ReadonlyArray<A>): A => list[Math.floor(random() * list.length)]!

const csv = (rows: ReadonlyArray<ReadonlyArray<string>>): string =>
  rows
    .map((row) =>
      row.map((cell) => (/[",]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(","),
    )
    .join("\n")
    .concat("\n")

/** All pairs of a first and a last name, in an order of the seed; the first 120 speak. */
const people = FIRST.flatMap((first) => LAST.map((last) => `${first} ${last}`))
  .map((name) => ({ name, order: random() }))
  .toSorted((a, b) => a.order - b.order)
  .map(({ name }) => name)

const talks = subjects.flatMap((about, at) =>
  about.aspects.map((aspect, index) => ({
    about,
    aspect,
    title: TITLES[index]!(about, aspect),
    speaker: people[at * 3 + index]!,
    day: one(DAYS),
    time: one(TIMES),
    room: `Hall ${1 + Math.floor(random() * 8)}`,
    level: one(["introductory", "intermediate", "advanced"]),
  })),
)

export const sessions = csv([
  ["title", "day", "time", "room", "track", "level", "speaker", "abstract"],
  ...talks.map(({ about, aspect, day, level, room, speaker, time, title }) => [
    title,
    day,
    time,
    room,
    about.track,
    level,
    speaker,
    `What changes when ${about.name.toLowerCase()} has to cope with ${aspect}, shown on a system in production.`,
  ]),
])

const companies = COMPANY.flatMap((name) => KIND.map((kind) => `${name} ${kind}`))

export const exhibitors = csv([
  ["name", "day", "booth", "category", "offer"],
  ...companies.flatMap((company, at) => {
    const { name, service, track } = subjects[at]!
    const stand = (letter: string) => `${letter}${10 + at}`
    return [
      [
        company,
        one(DAYS),
        stand("A"),
        track,
        `${service} for ${name.toLowerCase()}, with a free trial at the stand`,
      ],
      [
        `${company} Consulting`,
        one(DAYS),
        stand("B"),
        "Services",
        `Consulting on ${service}: assessment, training and support`,
      ],
      // The one thing that no talk is about: a visitor who needs it has to look among the exhibitors.
      at % 8 === 0
        ? [
            `${company} Platform`,
            one(DAYS),
            stand("C"),
            "Machine learning",
            "ML deployment and MLOps services: from a notebook to monitored models",
          ]
        : [
            `${company} Academy`,
            one(DAYS),
            stand("C"),
            "Training",
            `Courses and certificates on ${name.toLowerCase()}`,
          ],
    ]
  }),
])

export const speakers = csv([
  ["name", "day", "role", "company", "city", "topics"],
  ...talks.map(({ about, aspect, day, speaker }) => [
    speaker,
    day,
    one([
      "Principal engineer",
      "Head of platform",
      "Researcher",
      "Staff engineer",
      "Consultant",
      "Founder",
    ]),
    one(companies),
    one(CITIES),
    `${about.name}, ${aspect}`,
  ]),
])

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const [name, text] of Object.entries({ sessions, exhibitors, speakers }))
    writeFileSync(new URL(`${name}.csv`, import.meta.url), text)
}
