/** Function words and operators of Spanish. */
import type { Grammar } from "./Grammar.ts"

const split = (text: string): ReadonlyArray<string> => text.split(/\s*,\s*/)

/** Source: Real Academia Española, Nueva gramática de la lengua española (2009), chapters 14–22, 29–31 (closed classes). */
export const spanish: Grammar = {
  language: "es",
  acts: {
    affirm: split(
      "sí, si, claro, claro que sí, por supuesto, correcto, exacto, así es, de acuerdo, vale, ok, dale, adelante, confirma, confirmar, confirmo, confirmado, hazlo, hágalo",
    ),
    refuse: split(
      "no, no gracias, mejor no, ahora no, para, pare, detente, cancela, cancelar, cancélalo, cancele, olvídalo, olvídelo, déjalo, déjelo, nada, nada más, no importa, ya no, no lo hagas",
    ),
    resume: split(
      "sigue, siga, sigamos, seguimos, continúa, continúe, continuar, continuemos, seguir, volvamos, regresemos, en qué estábamos, en qué íbamos, prosigue",
    ),
    thank: split(
      "gracias, muchas gracias, mil gracias, muchísimas gracias, genial, perfecto, adiós, hasta luego, chao, nos vemos, eso es todo, es todo",
    ),
    greet: split(
      "hola, buenas, buen día, buenos días, buenas tardes, buenas noches, qué tal, saludos",
    ),
  },
  interjections: split(
    "espera, espere, un momento, un segundo, oye, oiga, ah, eh, mmm, por cierto, bueno, pues, ok, vale, sí, perdón, disculpa, disculpe, gracias, hola, perfecto, por favor",
  ),
  possessives: split("mi, nuestro, nuestra"),
  amends: split(
    "no, mejor, perdón, perdon, digo, quise decir, quiero decir, que sean, cámbialo a, mejor dicho, en realidad, y, y si",
  ),
  conjunctions: split("y luego, y después, y también, luego, y, e"),
  functionWords: split(
    "el, la, los, las, lo, un, una, unos, unas, este, esta, estos, estas, ese, esa, esos, esas, esto, eso, " +
      "de, del, a, al, para, por, en, con, desde, hacia, hasta el, y, e, " +
      "yo, me, mi, mis, mí, mío, mía, nos, nosotros, nuestro, nuestra, tú, te, ti, tu, tus, usted, ustedes, su, sus, le, les, se, él, ella, ellos, ellas, " +
      "ser, estar, aquí, allí, ahí, que, como, " +
      "por favor, porfa, gracias, muchas gracias, hola, buenas, buenos días, buenas tardes, buenas noches, ok, bueno, pues, ahora, ahora mismo, ya mismo, enseguida, " +
      "puedes, puede, podrías, podría, me puedes, me puede, me podrías, me podría, quiero, quisiera, querría, me gustaría, necesito, deseo, quiero que, vamos a, algún, alguna, algo, disculpa, disculpe, perdón",
  ),
  operators: {
    negation: split(
      "no, nunca, jamás, nada, nadie, ningún, ninguno, ninguna, ni, tampoco, sin, excepto, salvo, menos que, sino, pero, en vez de, en lugar de, apenas",
    ),
    condition: split(
      "si, cuando, mientras, hasta, hasta que, antes, antes de, después, después de, a menos que, a no ser que, en caso de, siempre que, porque, aunque, tan pronto como, una vez que, o, u, según, para que",
    ),
    time: split(
      "hoy, mañana, ayer, anoche, luego, más tarde, pronto, ya, todavía, aún, otra vez, de nuevo, cada, cada día, cada semana, cada mes, diario, semanal, mensual, " +
        "siempre, a veces, a menudo, durante, dentro de, último, última, últimos, últimas, próximo, próxima, pasado, pasada",
    ),
    quantity: split(
      "todo, toda, todos, todas, ambos, ambas, cada uno, solo, sólo, solamente, más, menos, al menos, como máximo, como mínimo, más de, menos de, hasta un, " +
        "mitad, doble, primero, primera, poco, poca, pocos, pocas, mucho, mucha, muchos, muchas, varios, varias, bastante, demasiado, muy, otro, otra, otros, otras, mismo, misma, juntos, exactamente, casi, alrededor de, <, >, <=, >=, =, ==, !=, ≤, ≥, ≠",
    ),
    modality: split(
      "debería, deberías, debo, debe, tal vez, quizá, quizás, posiblemente, probablemente, a lo mejor, supongo, ojalá, acaso, será que",
    ),
    past: split(
      "fue, fui, era, eran, había, estaba, hice, hizo, hecho, dije, dijo, di, dio, dado, envié, envió, enviado, mandé, mandó, mandado, pagué, pagó, pagado, transferí, transfirió, transferido, recibí, recibió, recibido, agregué, agregó, agregado, cancelé, canceló, cancelado, pedí, pidió, llegó, llegado, ha, han, he, hemos",
    ),
    question: split(
      "qué, que es, cuál, cuáles, quién, quiénes, dónde, cuándo, cómo, cuánto, cuánta, cuántos, cuántas, por qué, es, está, están, son, hay, tengo, tiene, a cuánto, en cuánto, a cómo, a qué, desde cuándo",
    ),
    change: split(
      "agregar, agrega, agregue, añadir, añade, añada, anular, anula, aprobar, aprueba, bloquear, bloquea, borrar, borra, cambiar, cambia, cambie, cancelar, cancela, cancele, cerrar, cierra, comprar, compra, " +
        "confirmar, confirma, confirme, confirmo, crear, crea, depositar, deposita, eliminar, elimina, elimine, enviar, envía, envíe, envíale, enviarle, mandar, manda, mande, mándale, mandarle, mándalo, envíalo, modificar, modifica, " +
        "pagar, paga, pague, pausar, pausa, pedir, pide, programar, programa, reembolsar, reembolsa, registrar, registra, reservar, reserva, retirar, retira, solicitar, solicita, solicite, transferir, transfiere, transfiera, transfiérele, vender, vende, actualizar, actualiza, hacer, haz, haga, subir, sube, aumentar, aumenta",
    ),
    look: split(
      "buscar, busca, busque, ver, ve, vea, mostrar, muestra, muestre, muéstrame, muéstreme, enseñar, enséñame, decir, dime, dígame, dame, deme, consultar, consulta, consulte, revisar, revisa, revise, saber, sabes, sabe, conocer, listar, lista, quiero saber, quisiera saber, quiero ver, me dices, me dice, averiguar, obtener",
    ),
  },
  decimals: [".", ","],
  ordinals: split("er, ro, do, to, mo, vo, no, ra, da, ta, ma, va, na, º, ª"),
  doubts: split(
    "no sé, no se si, no estoy seguro, no estoy segura, no me queda claro, no solo, no sólo, o no, no confío, ni idea, no sin, nadie, no tengo, no veo, por qué no, no olvides, no te olvides de, no olvide, no saltes, no te saltes, no omitas, no ignores, cómo sé, lo que sé, no es, no son, no está, no están, no sea, no sean, pero, sino",
  ),
  idioms: split(
    "seguro que, seguro de que, de seguro, por seguro, vale la pena, a cualquier precio, a toda costa, un par de, buen viaje",
  ),
  dismissals: split(
    "no importa, no importan, no me importa, no me importan, no es importante, no son importantes, no hace falta, no hacen falta, no es necesario, no es necesaria, no interesa, no interesan, me da igual, me dan igual, ya conozco, ya tengo, ya miré, ya revisé, ya comprobé, ya verifiqué, ya vi, ya sé, puede esperar, es opcional",
  ),
  known: split("sé que, sabemos que, como sabes, confío en, tengo el, tengo la"),
  claims: [],
  subjects: split("yo, mi, mis, él, ella, ellos, ellas, alguien, todos, un, una"),
  pleas: split("quería, quise, necesitaba, queríamos"),
  confirmations: split(
    "es verdad, es cierto, tiene razón, tienen razón, verifica, verifique, confirma, confirme, comprueba, compruebe, qué opinas",
  ),
  reports: split("dice, dicen, dijo, dijeron, asegura, jura, cree, creen, según"),
  exclamations: [],
  echoes: split("ni, tampoco"),
  corrections: split("mejor solo, mejor sólo, en realidad solo, en realidad sólo"),
  omissions: split(
    "omite, omitir, omitiendo, deja fuera, dejando fuera, excluye, excluyendo, salta, sáltate, saltar, evita, evitar, evitando, olvida, olvídate de, olvídalo, olvidar, ignora, ignorar, " +
      "no necesito, no quiero, ya no quiero, ya no necesito, no hace falta, sin necesidad de, no te molestes, no me importa, mejor no, iba a preguntar, pensaba preguntar, cambié de opinión, déjalo, ya lo hice, eso ya lo tengo, ya lo tengo",
  ),
  filters: split(
    "sin, excepto, salvo, excluye, excluyendo, evita, evitar, evitando, salta, sáltate, ignora",
  ),
  anaphors: split("parte, último, última, cosa, resto, pregunta"),
  naming: split("llamado, llamada, llamados, llamadas"),
  resumes: split("pero, sino, solo, sólo, solamente, únicamente"),
  requests: split("dame, dime, deme, dígame, muéstrame, enséñame"),
  stressed: split("un, una, es, son, muy, tan"),
  comparisons: split("compara, comparar, compare, comparado, comparación, diferencia"),
  sides: split("con, a"),
  links: split("y, e, o, u"),
  codeNouns: split("número, núm, nro, id, código, clave, referencia, folio"),
  // Regular past forms share their endings with nouns and with the future: the frequent ones are listed.
  pastEndings: [],
  notPast: [],
}
