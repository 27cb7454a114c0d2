import { createHash } from 'node:crypto'
import { rules, type Language } from './mutation-rules.ts'

export type { Language } from './mutation-rules.ts'

export const mutationKinds = [
  'returned constant',
  'swapped comparison',
  'early return',
  'removed call',
  'raised error',
] as const
export type MutationKind = (typeof mutationKinds)[number]

/** One line of one file, and its replacement. */
export type Mutant = { kind: MutationKind; path: string; line: number; was: string; now: string[] }

/** Paths of files that are not the project's own code: tests and documentation. */
const BESIDE =
  /(?:^|\/)(?:tests?|__tests__|testing|specs?|examples?|bench(?:es|marks?)?|docs?|tutorial|fixtures|migrations)(?:\/|\.|$)|[._-](?:test|spec|stories)\.|(?:^|\/)test_|_test\.|\.d\.ts$/

export const isCode = (language: Language, path: string): boolean =>
  rules[language].files.test(path) && !BESIDE.test(path)

/** Mutants of every line of a file that one of the five kinds can change. Reads line by line and knows no grammar. */
export function mutantsIn(language: Language, path: string, text: string): Mutant[] {
  const { ignored, end, kinds } = rules[language]
  const lines = text.split('\n')
  const last = lines.findIndex((line) => end.test(line))
  const mutants: Mutant[] = []
  // Leave out the last line: it may have no line end, and a patch would have to say so.
  lines.slice(0, last === -1 ? -1 : last).forEach((was, at) => {
    if (ignored.test(was) || was.length > 300) return
    for (const kind of mutationKinds) {
      const now = kinds[kind](was, lines[at + 1] ?? '')
      if (now !== null) mutants.push({ kind, path, line: at + 1, was, now })
    }
  })
  return mutants
}

/** In an order that is the same on each machine and independent of their places. */
export const shuffled = (mutants: readonly Mutant[], seed: string): Mutant[] =>
  mutants
    .map((mutant) => ({ mutant, key: keyOf(`${seed} ${mutant.kind} ${mutant.path} ${mutant.line}`) }))
    .toSorted((a, b) => (a.key < b.key ? -1 : 1))
    .map(({ mutant }) => mutant)

const keyOf = (text: string): string => createHash('sha256').update(text).digest('hex')

/** A patch for `git apply --unidiff-zero`. */
export const patchOf = ({ path, line, was, now }: Pick<Mutant, 'path' | 'line' | 'was' | 'now'>): string =>
  [
    `--- a/${path}`,
    `+++ b/${path}`,
    `@@ -${line},1 +${line},${now.length} @@`,
    `-${was}`,
    ...now.map((text) => `+${text}`),
    '',
  ].join('\n')

/** A new comment above the first line of code, which no test can notice. */
export function harmlessIn(language: Language, path: string, text: string): Omit<Mutant, 'kind'> | null {
  const { ignored, first, comment } = rules[language]
  const lines = text.split('\n')
  const at = lines.findIndex((line) => first.test(line) && !ignored.test(line))
  const was = lines[at]
  return was === undefined || at === lines.length - 1
    ? null
    : { path, line: at + 1, was, now: [`${comment} Called by others, too.`, was] }
}
