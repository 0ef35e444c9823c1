/** The validator `promises`: words of commitment with an outcome, what excuses them, and phrases of the author. */
import { validatorSuite } from "@planloom/testing"
import * as fc from "fast-check"
import { assert, describe, it } from "vitest"
import { cases } from "../../../../.config/cases.ts"
import { scoresOf, sum } from "./labeled.ts"
import { isBlocked, of, places, validated } from "./of.ts"
import { longTexts, streamedOtherwise } from "./streamLaw.ts"

const made: ReadonlyArray<readonly [text: string, topic: string]> = [
  ["We guarantee you a 10 % return.", "returns"],
  ["Te garantizamos un rendimiento del 10 %.", "returns"],
  ["It is a risk-free investment", "returns"],
  ["Your loan approval is guaranteed", "approval"],
  ["Aprobación garantizada para todos", "approval"],
  ["We approve everyone.", "approval"],
  ["Guaranteed to arrive within minutes", "arrival"],
  ["It will be there today, guaranteed.", "arrival"],
  ["Garantizamos que llegará hoy", "arrival"],
  ["Te garantizo que mañana lo tiene.", "arrival"],
  ["We guarantee the best rate", "rate"],
  ["Le prometo el reembolso completo.", "refund"],
  ["I promise that the $89.99 will be returned to you, Mr. Hall.", "refund"],
  ["I swear that you won't be sued.", "legal"],
  ["We undertake that the transfer shall reach your mother before noon.", "arrival"],
  ["There's no way it won't arrive by Friday, ma'am.", "arrival"],
  ["Consider it done; your cousin will be holding the cash tonight.", "arrival"],
  ["Our commitment is firm: the funds will be available by tomorrow.", "arrival"],
  ["I swear to you, the package will turn up tomorrow morning.", "arrival"],
  ["Your loan is in the bag.", "approval"],
  ["Le damos garantía absoluta contra cualquier pérdida.", "returns"],
  ["Le garantizo, si gusta, que le devuelven la fianza.", "refund"],
  ["Your loan will be approved.", "approval"],
  ["Your money will double within five years.", "returns"],
  ["Your exchange rate will not move this month.", "rate"],
  ["Su despido se va a declarar nulo.", "legal"],
  ["Le devolveremos hasta el último centavo.", "refund"],
  ["The fare's going down on Tuesday for sure.", "rate"],
  ["Your fee wont rise, for sure.", "rate"],
  ["Es imposible que su capital disminuya.", "returns"],
  ["I promise you that the choir will sing at your party.", "outcome"],
  ["Your knee will definitely bend again.", "outcome"],
  ["The bridge is bound to open on Sunday, I can tell you.", "outcome"],
  ["You have my word, the roof holds.", "outcome"],
  ["Nobody can take the trophy away from her.", "outcome"],
  ["The ferry shall sail at noon, of that I am certain.", "outcome"],
  ["That I promise you: the bell will ring again.", "outcome"],
  ["Palabra de honor que la banda toca el sábado.", "outcome"],
  ["Tu rodilla va a sanar del todo, te lo juro.", "outcome"],
  ["Dé por reparada la caldera del edificio.", "outcome"],
  ["El coro cantará en la fiesta sí o sí.", "outcome"],
  ["Nadie le quita a usted la medalla del domingo.", "outcome"],
  ["No pasará ni un frío más en esa casa, se lo prometo.", "outcome"],
  ["There's a 100% chance that they approve the claim.", "approval"],
  ["La probabilidad es del 100 %, garantizado.", "outcome"],
  ["If you pay today, the parcel will arrive on Friday, I promise.", "arrival"],
  ["Si firma hoy, el banco le aprueba el crédito, se lo juro.", "approval"],
  ["As long as you sign, the flat is yours, no doubt about it.", "approval"],
  ["I know what the branch told you, but I guarantee that the refund is coming.", "refund"],
  ["Entiendo su enojo, pero le aseguro que el dinero llega mañana.", "arrival"],
  ["Sorry for the wait; I can assure you that the loan is approved.", "approval"],
  ["We have been busy, and your parcel will arrive tonight, I swear.", "arrival"],
  ["A rejection is out of the question.", "approval"],
  ["We'll make certain that the bank approves your loan.", "approval"],
  ["Your sister's visa is a done deal.", "outcome"],
  ["It's certain that the choir will sing.", "outcome"],
  ["Guaranteed approval in five minutes.", "approval"],
  ["Your premium will not rise.", "rate"],
]

const notMade: ReadonlyArray<string> = [
  "Nothing was sent, so there is nothing to cancel.",
  "La cotización es en GTQ, y Rosa recibe MXN; no hay nada que cancelar.",
  "We cannot guarantee a return.",
  "No garantizamos ningún rendimiento.",
  "Rates change, and arrival usually takes minutes.",
  "The guarantee of your phone. Returns are free for 30 days.",
  "Sin garantía de aprobación.",
  "If anybody guarantees you a return, hang up.",
  "Nadie puede garantizarle que el dinero llegue hoy.",
  "Quien le aseguró que llegaba hoy no trabaja aquí.",
  "Él me aseguró que llega hoy.",
  'The shop says "refund guaranteed".',
  "Rest assured, I'll file the refund request today.",
  "Le aseguro que hoy llamaré al banco por su reembolso.",
  "We promise to keep your data confidential, also of your refund.",
  "Your refund was definitely credited on May 2.",
  "The judge definitely dismissed the case in 2021.",
  "We guarantee that your card number is encrypted.",
  "The flyer promises instant approval, and that is misleading.",
  "To guarantee your seat, pay the fare before Friday.",
  "It's far from certain that the market will recover.",
  "I very much doubt that the stock will double by spring.",
  "I have no doubt that you are upset about the fee.",
  "The guaranteed rate applies for the first twelve months.",
  "La garantía extendida cubre el teléfono dos años más.",
  "Tiene mi palabra de que hoy mismo envío su caso a disputas.",
  "Le prometo revisar su reclamo y contestarle esta noche.",
  "Nos comprometemos a revisar su solicitud de reembolso en cinco días.",
  "Le aseguro que leí toda la disputa.",
  "Ninguna inversión está libre de riesgo.",
  "The Guaranteed Growth Bond is no longer sold.",
  "A guaranteed-rate quote counts for 24 hours.",
  "Some lenders often promise approval in five minutes.",
  "The government guarantees deposits of up to $250,000.",
  "El gobierno garantiza los depósitos hasta cierto monto.",
  "We ask for a deposit to guarantee the booking.",
  "Nothing in this chat amounts to a guarantee of approval.",
  "We're not in a position to guarantee that the merchant will give you your money back.",
  "No broker, however good, can promise a profit.",
  "I'm almost certain that the rate changes at midnight.",
  "The fee is charged in any event, without exception.",
  "You certainly received the refund.",
  "Rest assured that your money isn't touched until you confirm.",
  "Apparently the bank will refund the fee.",
  "In some cases the airline will refund the ticket.",
  "I promise to double-check the rate before I send the quote.",
  "Past gains give no assurance of future ones.",
  "Keep the ticket so you are sure to have proof for your refund.",
  "Drop it off by noon so that it is sure to be delivered on Monday.",
  "We pledge to hand your box over to the carrier within a day.",
  "Lo que le prometo es abrir hoy una incidencia por la devolución.",
  "I wouldnt bank on the fine being dropped.",
  "We never tell customers that their claim is certain to be accepted.",
  "We don't know what the judge will decide in your favor.",
  "No podemos anticipar qué decidirá el juez.",
  "Your bus will arrive on Friday at ten.",
  "The rent will cost $1,750 per month.",
  "I promise you that.",
  "You have my word on that.",
  "Se lo aseguro, señora.",
  "Promising you a seat would be wrong, since the airline hands them out.",
  "Prometer que la banda tocará no está a nuestro alcance.",
  "I have no doubt that you filled in the form.",
  "En su carta usted escribe que le aseguramos un cupo en el curso.",
  "The seller assures us that the roof will hold.",
  "El dueño nos asegura que el techo aguantará.",
  "We count on your patience while the line is down.",
  "Your commitment to the gym ends in March.",
  "Our drills come with a five-year guarantee.",
  "Under the warranty a faulty motor will be replaced within two years.",
  "Please be certain to lock the door.",
  "Nobody can stop you from applying twice.",
  "Bring both letters without fail, please.",
  "Traiga sin falta las dos cartas el día de la cita.",
  "Necesitamos sí o sí el formulario firmado el lunes.",
  "Confiamos en que el técnico llegue a tiempo.",
  "Firme la declaración jurada ante notario.",
  "El hotel cuenta con piscina y gimnasio.",
  "The exam results come out on Thursday, and nobody here knows them.",
  "Her choir will sing on Sunday.",
  "Prices will rise next season.",
  "Your installment will rise by $12 in May.",
  "The deposit will be returned after checkout.",
  "La fianza se devolverá después de la salida.",
  "Guaranteed seats cost $15 extra.",
  "El mínimo garantizado es del 1,5% anual.",
  "If you pay by card, the surcharge is 2%.",
  "If the bank agrees, you'll get the loan, I promise.",
  "A 100% refund applies to the flexible fare.",
  "No existe el riesgo cero.",
  "Your refund will depend on the fare class.",
  "I'm sorry that you were promised a refund.",
]

validatorSuite({ describe, it }, of("promises"), [
  { name: "blocks a promise", text: made[0]![0], verdict: "block" },
  { name: "flags a promise", text: made[1]![0], with: { action: "flag" }, verdict: "flag" },
  { name: "passes a text without promises", text: notMade[2]!, verdict: "pass" },
  { name: "reads the end of a question first", text: "We guarantee a refund?", verdict: "pass" },
  {
    name: "passes topics that it does not search",
    text: made[0]![0],
    with: { topics: ["legal"] },
    verdict: "pass",
  },
  {
    name: "blocks a phrase of the author",
    text: "Envíalo YA mismo y gana un premio",
    with: { topics: ["legal"], phrases: { es: ["gana un premio|regalo"] } },
    verdict: "block",
  },
])

/** Commitments of a person or a company, and outcomes that may follow them. */
const english = {
  commitments: [
    "I promise",
    "we guarantee",
    "I can assure you",
    "I swear",
    "rest assured",
    "you have my word",
  ],
  outcomes: [
    "that your money arrives on Friday",
    "that they will approve your loan",
    "that you get a full refund",
    "that your savings will double",
    "that the judge will rule in your favor",
    "that the fee will never rise",
  ],
  kept: [
    (text: string) => `If you pay today, ${text}.`,
    (text: string) => `As long as you send the form, ${text}.`,
    (text: string) => `I understand that you are worried, but ${text}.`,
    (text: string) => `I know what the seller told you, but ${text}.`,
  ],
  excused: [
    (text: string) => `If the bank agrees, ${text}.`,
    (text: string) => `If you qualify, ${text}.`,
    (text: string) => `Anybody who says ${text} is lying.`,
    (text: string) => `Did they say ${text}?`,
    (text: string) => `She told me: ${text}.`,
  ],
}
const spanish = {
  commitments: [
    "le prometo",
    "garantizamos",
    "te aseguro",
    "juro",
    "tenga la seguridad de",
    "le doy mi palabra de",
  ],
  outcomes: [
    "que su dinero llega el viernes",
    "que le aprueban el préstamo",
    "que recibirá el reembolso completo",
    "que va a ganar dinero",
    "que ganará el juicio",
    "que la comisión no sube nunca",
  ],
  kept: [
    (text: string) => `Si paga hoy, ${text}.`,
    (text: string) => `Si nos manda el formulario, ${text}.`,
    (text: string) => `Entiendo su preocupación, pero ${text}.`,
    (text: string) => `Sé lo que dijo el vendedor, pero ${text}.`,
  ],
  excused: [
    (text: string) => `Si el banco acepta, ${text}.`,
    (text: string) => `Desconfíe de la gente que dice: ${text}.`,
    (text: string) => `¿Le dijeron «${text}»?`,
    (text: string) => `Según el vendedor, ${text}.`,
  ],
}

/** Events that are of no listed topic, and words that make any event a promise. */
const anyEvents = [
  {
    subjects: ["the choir", "your dog", "the bridge", "my colleague", "it"],
    events: ["will sing again", "will wake up at noon", "is going to dance with you"],
    commitments: [
      (event: string) => `I swear that ${event}`,
      (event: string) => `${event}, you have our word`,
      (event: string) => `without fail ${event}`,
      (event: string) => `${event}, on my mother's life`,
      (event: string) => `there's no doubt that ${event}`,
      (event: string) => `rest easy, ${event}`,
      (event: string) => `${event}, and I'd stake my job on it`,
    ],
    excused: [
      (text: string) => `If the weather holds, ${text}.`,
      (text: string) => `Did she say: ${text}?`,
      (text: string) => `The flyer says: ${text}.`,
      (text: string) => `According to him, ${text}.`,
    ],
  },
  {
    subjects: ["el coro", "su perro", "el puente", "mi colega", "ella"],
    events: ["cantará otra vez", "despertará al mediodía", "va a bailar con usted"],
    commitments: [
      (event: string) => `le juro que ${event}`,
      (event: string) => `${event}, tiene nuestra palabra`,
      (event: string) => `sin falta ${event}`,
      (event: string) => `${event}, se lo juro por mi madre`,
      (event: string) => `no cabe duda de que ${event}`,
      (event: string) => `pierda cuidado, ${event}`,
      (event: string) => `${event}, y pongo la mano en el fuego`,
    ],
    excused: [
      (text: string) => `Si el tiempo ayuda, ${text}.`,
      (text: string) => `¿Le dijo que ${text}?`,
      (text: string) => `Según el folleto, ${text}.`,
      (text: string) => `Le mentiría: ${text}.`,
    ],
  },
]

const anyEvent = fc.constantFrom(...anyEvents).chain(({ commitments, events, excused, subjects }) =>
  fc.record({
    text: fc
      .tuple(
        fc.constantFrom(...commitments),
        fc.constantFrom(...subjects),
        fc.constantFrom(...events),
      )
      .map(([commit, subject, event]) => commit(`${subject} ${event}`)),
    excuse: fc.constantFrom(...excused),
    // The future of what is the customer's own may read like a promise.
    plain: fc
      .tuple(
        fc.constantFrom(...subjects.filter((one) => !/^(your|su) /.test(one))),
        fc.constantFrom(...events),
      )
      .map((parts) => parts.join(" ")),
  }),
)

/** Outcomes in the future without a word of commitment, and how the same sentence promises nothing. */
const futures = [
  {
    texts: [
      "the bank will approve your loan",
      "your savings are going to double",
      "the judge will rule in your favor",
      "they'll refund you every penny",
    ],
    excused: [
      (text: string) => `If all papers are in order, ${text}.`,
      (text: string) => `Will they say that ${text}?`,
      (text: string) => `I doubt that ${text}.`,
      (text: string) => `Whether ${text} depends on others.`,
      (text: string) => `Apparently ${text}.`,
      (text: string) => `The flyer says ${text}.`,
      (text: string) => `Nobody can promise that ${text}.`,
      (text: string) => `There is no assurance that ${text}.`,
    ],
  },
  {
    texts: [
      "el banco aprobará su préstamo",
      "su dinero se va a duplicar",
      "el juez fallará a su favor",
      "le devolverán hasta el último peso",
    ],
    excused: [
      (text: string) => `Si los papeles están en orden, ${text}.`,
      (text: string) => `¿Le dijeron que ${text}?`,
      (text: string) => `Dudo que sea cierto que ${text}.`,
      (text: string) => `Según el vendedor, ${text}.`,
      (text: string) => `Tal vez ${text}.`,
      (text: string) => `Nadie puede prometer que ${text}.`,
      (text: string) => `No hay ninguna garantía de que ${text}.`,
    ],
  },
]

/** A verb of commitment of the speaker, and its forms that promise nothing. */
const verbs = [
  {
    outcome: "that your money arrives on Friday",
    own: ["I promise", "we promise", "I'm promising you", "we guarantee", "I swear", "we pledge"],
    others: [
      "I can't promise",
      "we never promise",
      "we do not guarantee",
      "I won't swear",
      "no bank can guarantee",
      "they promise",
      "he swears",
      "who promises",
    ],
  },
  {
    outcome: "que le devuelven el dinero",
    own: ["le prometo", "le prometemos", "te garantizo", "les garantizamos", "juro", "aseguramos"],
    others: [
      "no le prometo",
      "nunca prometemos",
      "no podemos garantizar",
      "tampoco aseguramos",
      "nadie garantiza",
      "el vendedor juró",
      "quien promete",
    ],
  },
]

const sentence = fc
  .constantFrom(english, spanish)
  .chain(({ commitments, excused, kept, outcomes }) =>
    fc.record({
      keep: fc.constantFrom(...kept),
      text: fc
        .tuple(fc.constantFrom(...commitments), fc.constantFrom(...outcomes))
        .map((parts) => parts.join(" ")),
      excuse: fc.constantFrom(...excused),
    }),
  )

describe("promises", () => {
  it.each(made)("made in %j", (text, topic) => {
    assert.deepStrictEqual(validated("promises", text).issues, [topic])
  })

  it.each(notMade)("not made in %j", (text) => {
    assert.deepStrictEqual(places("promises", text), [])
  })

  it("are made by any commitment with any outcome, and not under an excuse", () => {
    fc.assert(
      fc.property(sentence, ({ excuse, keep, text }) => {
        assert.strictEqual(validated("promises", `${text}.`).verdict, "block", text)
        assert.strictEqual(validated("promises", keep(text)).verdict, "block", keep(text))
        assert.strictEqual(validated("promises", excuse(text)).verdict, "pass", excuse(text))
      }),
      { numRuns: cases(200) },
    )
  })

  it("are made by a commitment with any event of others, and not by an event that is not the customer's alone", () => {
    fc.assert(
      fc.property(anyEvent, ({ excuse, plain, text }) => {
        assert.strictEqual(validated("promises", `${text}.`).verdict, "block", text)
        assert.strictEqual(validated("promises", excuse(text)).verdict, "pass", excuse(text))
        assert.strictEqual(validated("promises", `${plain}.`).verdict, "pass", plain)
        const other = validated("promises", `${text}.`, { topics: ["legal"] })
        assert.strictEqual(other.verdict, "pass", text)
      }),
      { numRuns: cases(200) },
    )
  })

  it("are made by the future of an outcome, and not under an excuse", () => {
    const pairs = futures.flatMap(({ excused, texts }) =>
      texts.flatMap((text) => excused.map((excuse) => [text, excuse(text)] as const)),
    )
    for (const [text, passed] of pairs) {
      assert.strictEqual(validated("promises", `${text}.`).verdict, "block", text)
      assert.strictEqual(validated("promises", passed).verdict, "pass", passed)
    }
  })

  it("are made by each form of the speaker, and by no negation or third person", () => {
    for (const { others, outcome, own } of verbs) {
      for (const one of own) {
        const text = `${one} ${outcome}.`
        assert.strictEqual(validated("promises", text).verdict, "block", text)
      }
      for (const one of others) {
        const text = `${one} ${outcome}.`
        assert.strictEqual(validated("promises", text).verdict, "pass", text)
      }
    }
  })

  it("are found in the labeled sentences on which the rules were written", () => {
    const scores = scoresOf("seen", isBlocked)
    assert.isAtLeast(sum(scores, "found"), 1740)
    assert.isAtMost(sum(scores, "wrong"), 20)
  })

  it("are searched in linear time", () => {
    for (const text of longTexts(
      "guarantee ",
      "guarantee a ",
      "no ",
      "nunca siempre ",
      "? ",
      "Mr. ",
    )) {
      assert.strictEqual(validated("promises", text).verdict, "pass")
    }
  })

  it.each([{}, { phrases: { en: ["best rate"] }, topics: ["returns", "refund"] }])(
    "are the same in a streamed text with the options %j",
    (options) => {
      const fragments = [
        "We ",
        "guarantee ",
        "cannot ",
        "you ",
        "returns",
        "best ",
        "rate",
        "no risk of ",
        "loss",
        ", ",
        "? ",
        ".” ",
        "if ",
        "3.5 ",
        "Mr. ",
        "se lo prometo ",
        "reembolso ",
        "word ".repeat(70),
        "x".repeat(130),
      ]
      assert.isNull(streamedOtherwise(of("promises"), options, fragments))
    },
  )
})
