/** A searchable item: `name` is an id (or ''), `also` are hidden words that lead here, too. */
export type Findable = { name: string; title: string; also: string }

/**
 * Our own ranking instead of a library: an id weighs more than a title, and its part after the dash as much as its
 * beginning, which general matchers do not know. Thousands of short texts need no index.
 */
type Prepared<T> = { item: T; name: string; tail: string; title: string; also: string }
export type Ranking<T> = (query: string, most: number) => { items: T[]; total: number }

const WORD_START = /[^\p{L}\p{N}]/u

/** Prepares the texts once; the function that it returns is fast enough to run with every key. */
export function rankingOf<T extends Findable>(items: readonly T[]): Ranking<T> {
  const prepared = items.map<Prepared<T>>((item) => {
    const name = item.name.toLowerCase()
    const tail = name.slice(name.indexOf('-') + 1)
    return { item, name, tail, title: item.title.toLowerCase(), also: item.also.toLowerCase() }
  })
  return (query, most) => {
    const words = query.toLowerCase().split(/\s+/).filter(Boolean).slice(0, 8)
    if (words.length === 0) return { items: items.slice(0, most), total: items.length }
    const found: { item: T; score: number; index: number }[] = []
    for (const [index, one] of prepared.entries()) {
      const score = scoreOf(one, words)
      if (score > 0) found.push({ item: one.item, score, index })
    }
    found.sort((a, b) => b.score - a.score || a.index - b.index)
    return { items: found.slice(0, most).map(({ item }) => item), total: found.length }
  }
}

/** Every word must match somewhere; 0 if one does not. */
function scoreOf(one: Prepared<unknown>, words: readonly string[]): number {
  let sum = 0
  for (const word of words) {
    // The loose search is expensive, so it runs only if nothing else matches.
    const score =
      Math.max(nameScore(one, word), textScore(one.title, word, 60), textScore(one.also, word, 30)) ||
      looseScore(one.title, word)
    if (score === 0) return 0
    sum += score
  }
  return sum
}

function nameScore({ name, tail }: Prepared<unknown>, word: string): number {
  if (name === '') return 0
  if (name === word || tail === word) return 100
  if (name.startsWith(word) || tail.startsWith(word)) return 80
  return name.includes(word) ? 45 : 0
}

/** `best` at the start of a word, a little more at the start of the text. */
function textScore(text: string, word: string, best: number): number {
  let at = text.indexOf(word)
  if (at === -1) return 0
  if (at === 0) return best + 4
  for (; at !== -1; at = text.indexOf(word, at + 1)) if (startsWord(text, at)) return best
  return best / 2
}

const startsWord = (text: string, at: number): boolean => at === 0 || WORD_START.test(text[at - 1] ?? '')

/**
 * Letters in their order, with some left out: "rtry" finds "retry". The match must begin at the start of a word and end
 * soon, or every long title would match everything.
 */
function looseScore(text: string, word: string): number {
  if (word.length < 3) return 0
  for (let from = text.indexOf(word.charAt(0)); from !== -1; from = text.indexOf(word.charAt(0), from + 1)) {
    if (!startsWord(text, from)) continue
    const end = endOfLetters(text, word, from)
    if (end !== -1 && end - from <= word.length * 2 + 2) return 20 * (word.length / (end - from))
  }
  return 0
}

function endOfLetters(text: string, word: string, from: number): number {
  let at = from
  for (const letter of word) {
    const next = text.indexOf(letter, at)
    if (next === -1) return -1
    at = next + 1
  }
  return at
}
