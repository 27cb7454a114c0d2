import type { CommandClaim, Family, Found } from '../found.ts'
import { usedUnasked } from './run-unasked.ts'
import { hasTestsOf } from '../files/files-of-tests.ts'

/** One way to test the root. `label` tells it from the others; `''` if there are no others. */
export type RootTest = { label: string; claim: CommandClaim }

/** They run whatever somebody wrote down: if a language has a command of its own, that one counts. */
export const RECIPES: ReadonlySet<Family> = new Set<Family>(['make', 'just', 'devcontainer', 'ci'])

/** The tests of the root: a command for each language that has tests, and for each part of one. */
export function rootTests({ commands, testFiles }: Pick<Found, 'commands' | 'testFiles'>): RootTest[] {
  const tests = usedUnasked(commands).filter(({ folder, purpose }) => folder === '' && purpose === 'test')
  const ofLanguages = firstOfEach(tests.filter(({ family }) => !RECIPES.has(family)))
  const shown = ofLanguages.filter(
    ({ confidence, family }) => confidence === 'said' || hasTestsOf(testFiles, '', family),
  )
  const isKnown = (claim: CommandClaim) => claim.family !== 'node' || claim.confidence === 'said'
  const taken = shown.length > 0 ? shown : ofLanguages.filter(isKnown).slice(0, 1)
  const all =
    taken.length > 0 ? taken : tests.slice(0, 1).filter((claim) => isKnown(claim) && !isAnyway(claim, commands))
  return labelled(all)
}

/** Whether all folders that a target only goes into are tested anyway, after their own setup, in their language. */
const isAnyway = ({ into = [] }: CommandClaim, commands: readonly CommandClaim[]): boolean =>
  into.length > 0 &&
  into.every((below) =>
    commands.some(
      ({ folder, purpose, family, confidence }) =>
        folder === below && purpose === 'test' && confidence === 'said' && !RECIPES.has(family),
    ),
  )

/** Two builds of one language do the same in two ways. */
export const firstOfEach = (claims: readonly CommandClaim[]): CommandClaim[] =>
  claims.filter(
    (claim, at) =>
      claims.findIndex(({ family, part }) => languageOf(family) === languageOf(claim.family) && part === claim.part) ===
      at,
  )

/** Tells the tests of one folder apart, by language and part. */
export function labelled(all: readonly CommandClaim[]): RootTest[] {
  const families = new Set(all.map(({ family }) => family))
  return all.map((claim) => ({ claim, label: labelOf(claim, all, families.size > 1) }))
}

function labelOf({ family, part }: CommandClaim, all: readonly CommandClaim[], several: boolean): string {
  const isOneOfMany = all.length > 1
  return [isOneOfMany && several ? languageOf(family) : '', isOneOfMany ? (part ?? '') : ''].filter(Boolean).join(' ')
}

const LANGUAGES: Partial<Record<Family, string>> = {
  node: 'JavaScript',
  deno: 'JavaScript',
  python: 'Python',
  go: 'Go',
  rust: 'Rust',
  maven: 'Java',
  gradle: 'Java',
  dotnet: '.NET',
  ruby: 'Ruby',
  php: 'PHP',
  elixir: 'Elixir',
  cmake: 'C',
  meson: 'C',
  autotools: 'C',
  swift: 'Swift',
  zig: 'Zig',
  dart: 'Dart',
  scala: 'Scala',
  clojure: 'Clojure',
  haskell: 'Haskell',
  ocaml: 'OCaml',
  erlang: 'Erlang',
  perl: 'Perl',
  r: 'R',
  julia: 'Julia',
}

/** The usual name of the language; a build has that of its language. */
export const languageOf = (family: Family): string => LANGUAGES[family] ?? family
