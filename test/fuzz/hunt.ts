import { writeFileSync } from 'node:fs'
import { chanceOf } from './chance.ts'
import { changed, invented } from './mutate.ts'
import { parsers } from './parsers.ts'
import { textOf, type Pumped } from './pumped.ts'
import { samplesOf, tokensOf } from './tokens.ts'
import { growthOf, MOST_GROWTH, quietWorkOf, workOf } from './work.ts'
import { keptOf, plainOf } from './worst-known.ts'

/*
 * `node hunt.ts PARSER SEED MILLISECONDS FILE`: looks for text that is slow to read, and prints the worst as JSON.
 * Before each reading it writes the text to FILE, where it can be found if the reading never ends and this process is
 * killed.
 */

/** A hunt's result: milliseconds of a quiet processor per MiB, and the factor of work for twice the text. */
export type Found = { pumped: Pumped; msPerMiB: number; growth: number }

/** Lengths at which a text is tried, up to the first slow one: exponential growth shows while a text is short. */
const LENGTHS = [16, 20, 24, 28, 32, 48, 64, 128, 512, 2048, 8192, 32_768]
const LONG_MS = 40
const KEPT = 12
const LENGTH = 64 * 1024
/** So many of the kept texts have their growth measured, too. */
const MEASURED = 4

const [name = '', seed = '1', ms = '1000', file = ''] = process.argv.slice(2)
const parser = parsers[name]
if (!parser) throw new Error(`there is no parser ${name}`)

const { read } = parser
const random = chanceOf(Number(seed))
const [tokens, samples] = [tokensOf(parser, name), samplesOf(parser)]
const best: { pumped: Pumped; score: number }[] = []
let tried = 0

// Begin with the known texts, in case nothing worse is found.
for (const pumped of [...keptOf(name), ...plainOf(parser)]) consider(pumped)
// The time for loading the parsers does not count: on a loaded machine it takes longer than a short hunt.
const begun = process.cpuUsage()
while (process.cpuUsage(begun).user / 1000 < Number(ms)) {
  const parent = best[Math.floor(random() * best.length)]
  const pumped =
    parent && random() < 0.7 ? changed(parent.pumped, tokens, samples, random) : invented(tokens, samples, random)
  consider(pumped)
}

const found = best.slice(0, MEASURED).map(({ pumped }): Found => {
  writeFileSync(file, JSON.stringify(pumped))
  const text = textOf(pumped, LENGTH)
  const work = quietWorkOf(read, text)
  // Measure again if it is too much: a quadratic text stays so.
  const first = growthOf(parser, pumped)
  const growth = first <= MOST_GROWTH ? first : Math.min(first, growthOf(parser, pumped))
  // A text with nothing to repeat stays short, so count its cost as if it had the full length.
  return { pumped, msPerMiB: (work / Math.max(LENGTH, text.length)) * 1024 ** 2, growth }
})
process.stdout.write(JSON.stringify({ name, tried, found }))

function consider(pumped: Pumped): void {
  const score = scoreOf(pumped)
  tried += 1
  if (best.length === KEPT && score <= best.at(-1)!.score) return
  best.push({ pumped, score })
  best.sort((a, b) => b.score - a.score)
  best.length = Math.min(best.length, KEPT)
}

/** Work per character, at the longest length that is not too slow. */
function scoreOf(pumped: Pumped): number {
  writeFileSync(file, JSON.stringify(pumped))
  let score = 0
  for (const length of LENGTHS) {
    const text = textOf(pumped, length)
    const work = workOf(read, text)
    score = work / Math.max(text.length, 256)
    if (work > LONG_MS) break
  }
  return score
}
