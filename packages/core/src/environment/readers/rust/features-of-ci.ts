import { fieldsOf, type Fields } from '../../formats/records.ts'
import { TESTS_BY_CARGO, type CiLine } from './lines-of-ci.ts'

/*
 * Cargo compiles and tests code behind a feature only if somebody asks for the feature. The project's CI knows best
 * which features go together, and with which toolchain.
 */

const LONGEST = 500

/** Words for `cargo test`, with a space before them; empty: the default features. */
export function featuresOfCi(manifest: Fields, ofCi: readonly CiLine[]): string {
  const lines = ofCi.filter(({ at }) => at === '').map(({ line }) => line)
  const declared = namesOf(manifest)
  if (lines.some(takesAll)) return declared.some((name) => OF_NIGHTLY.test(name)) ? '' : ' --all-features'
  const excluded = lines.map(leftByHack).find((names) => names !== null)
  if (excluded === undefined || Object.hasOwn(manifest, 'workspace')) return ''
  const taken = declared.filter((name) => !excluded.includes(name) && !OF_NIGHTLY.test(name))
  const words = excluded.length === 0 ? ' --all-features' : ` --features ${taken.join(',')}`
  return taken.length === 0 || words.length > LONGEST ? '' : words
}

const OF_NIGHTLY = /nightly/

/** Words that choose a single package, another machine, or a part of the tests. */
const OF_A_PART = /\s(?:-p|--package|--manifest-path|--target|--no-default-features|--no-run)\b|\$\{\{|[;&|]/

const isWhole = (line: string): boolean => TESTS_BY_CARGO.test(line) && !OF_A_PART.test(line)

const takesAll = (line: string): boolean => isWhole(line) && /\s--all-features(?=\s|$)/.test(line)

/** The features that `cargo hack` leaves out while it tries all others; null: the line does not do that. */
function leftByHack(line: string): string[] | null {
  if (!isWhole(line) || !/\s--(?:feature-powerset|each-feature)(?=\s|$)/.test(line)) return null
  const listed = [...line.matchAll(/\s--(?:exclude-features|skip)[= ]["']?([\w,/-]{1,1000})/g)]
  return listed.flatMap(([, names = '']) => names.split(','))
}

/** The features of the manifest, and optional dependencies that no feature names. */
function namesOf(manifest: Fields): string[] {
  const features = fieldsOf(manifest['features'])
  const named = JSON.stringify(features)
  const dependencies = fieldsOf(manifest['dependencies'])
  const implied = Object.keys(dependencies).filter(
    (name) => fieldsOf(dependencies[name])['optional'] === true && !named.includes(`"dep:${name}"`),
  )
  return [...Object.keys(features), ...implied].filter((name) => name !== 'default' && /^[\w+-]{1,60}$/.test(name))
}
