import type { Pumped } from './pumped.ts'

/** Widths of the middle of a part. The longest line that a digest reads has 2000 characters. */
const WIDTHS = [0, 0, 1, 1, 20, 200, 1000, 1900, 20_000]

type Chance = () => number

const one = <T>(list: readonly T[], random: Chance): T => list[Math.floor(random() * list.length)]!

function some(tokens: readonly string[], most: number, random: Chance): string {
  const count = Math.floor(random() * (most + 1))
  return Array.from({ length: count }, () => one(tokens, random)).join('')
}

/** A new text of a few tokens. */
export function invented(tokens: readonly string[], samples: readonly string[], random: Chance): Pumped {
  const head = random() < 0.3 && samples.length > 0 ? one(samples, random) : some(tokens, 2, random)
  return {
    head,
    start: some(tokens, 2, random),
    inner: some(tokens, 2, random),
    width: one(WIDTHS, random),
    end: random() < 0.6 ? `${some(tokens, 2, random)}\n` : some(tokens, 2, random),
    tail: some(tokens, 2, random),
  }
}

/** Replaces one of its parts. */
export function changed(pumped: Pumped, tokens: readonly string[], samples: readonly string[], random: Chance): Pumped {
  const fresh = invented(tokens, samples, random)
  const key = one(['head', 'start', 'inner', 'width', 'end', 'tail', 'start', 'inner'] as const, random)
  if (key === 'width') return { ...pumped, width: fresh.width }
  const how = random()
  const text = pumped[key]
  if (how < 0.5) return { ...pumped, [key]: fresh[key] }
  if (how < 0.8) return { ...pumped, [key]: text + one(tokens, random) }
  return { ...pumped, [key]: text.slice(0, Math.floor(random() * text.length)) }
}
