import type { Fields } from '../../formats/records.ts'
import type { Folder } from '../../files/repository-files.ts'
import { isExclusive } from './exclusive.ts'
import { TESTS_BY_CARGO, type CiLine } from './lines-of-ci.ts'
import { cratesOf, OF_NIGHTLY, type Crate } from './packages-of.ts'

/*
 * Cargo compiles and tests code behind a feature only if somebody asks for the feature. The project's CI knows best
 * which features go together, and with which toolchain; a manifest says which of them its tests require.
 */

const LONGEST = 400

/** Words for `cargo test`, with a space before them. `all`: for all packages; `each`: for one of them by itself. */
export type Features = { all: string; each: { name: string; words: string }[] }

const usual: Features = { all: '', each: [] }
const everything: Features = { all: ' --all-features', each: [] }

export function featuresFor(folder: Folder, manifest: Fields, ofCi: readonly CiLine[]): Features {
  const lines = ofCi.filter(({ at }) => at === '').map(({ line }) => line)
  const crates = cratesOf(folder, manifest)
  const hasNightly = crates.some(({ features }) => features.some((name) => /nightly/.test(name)))
  const isOpen = !isExclusive([folder.text('Cargo.toml') ?? '', ...crates.map(({ code }) => code), ...lines])
  if (lines.some(takesAll) && !hasNightly) return everything
  const excluded = lines.map(leftByHack).find((names) => names !== null)
  if (excluded !== undefined && isOpen) {
    if (excluded.length === 0 && !hasNightly) return everything
    return wordsFor(crates, ({ features }) =>
      features.filter((name) => !excluded.includes(name) && !/nightly/.test(name)),
    )
  }
  const sets = lines.filter(isWhole).map(namedIn)
  // Each line is known to compile by itself.
  const largest = sets.toSorted((a, b) => b.length - a.length).slice(0, 1)
  const named = new Set((isOpen ? sets : largest).flat())
  return wordsFor(crates, ({ features, required, name }) =>
    features.filter(
      (one) =>
        (named.has(one) || named.has(`${name}/${one}`) || (isOpen && required.includes(one))) && !OF_NIGHTLY.test(one),
    ),
  )
}

/** The features of each package in the form that Cargo takes in the folder of the workspace. */
function wordsFor(crates: readonly Crate[], chosen: (crate: Crate) => readonly string[]): Features {
  const each = crates.flatMap((crate) => {
    const names = chosen(crate).map((one) => crate.prefix + one)
    return names.length === 0 ? [] : [{ name: crate.name, names }]
  })
  const words = (names: readonly string[]) => (names.length === 0 ? '' : ` --features ${names.join(',')}`)
  const all = words(each.flatMap(({ names }) => names))
  if (all.length > LONGEST) return usual
  return { all, each: each.map(({ name, names }) => ({ name, words: words(names) })) }
}

/** Words that choose a single package, another machine, or a part of the tests. */
const OF_A_PART = /\s(?:-p|--package|--manifest-path|--target|--no-default-features|--no-run)\b|\$\{\{|[;&|]/

const isWhole = (line: string): boolean => TESTS_BY_CARGO.test(line) && !OF_A_PART.test(line)

const takesAll = (line: string): boolean => isWhole(line) && /\s--all-features(?=\s|$)/.test(line)

const namedIn = (line: string): string[] =>
  [...line.slice(0, 2000).matchAll(/\s(?:--features|-F)(?:[= ]\s{0,5})("[^"]{0,500}"|'[^']{0,500}'|[\w,/+-]{1,500})/g)]
    .flatMap(([, words = '']) => words.replace(/["']/g, '').split(/[\s,]+/))
    .filter(Boolean)

/** The features that `cargo hack` leaves out while it tries all others; null: the line does not do that. */
function leftByHack(line: string): string[] | null {
  if (!isWhole(line) || !/\s--(?:feature-powerset|each-feature)(?=\s|$)/.test(line)) return null
  if (/\s--mutually-exclusive-features\b/.test(line)) return null
  const listed = [...line.matchAll(/\s--(?:exclude-features|skip)[= ]["']?([\w,/-]{1,1000})/g)]
  return listed.flatMap(([, names = '']) => names.split(','))
}
