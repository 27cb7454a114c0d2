import { fieldsOf, listOf, textOf, type Fields } from '../../formats/records.ts'
import { linesOf } from '../../formats/lines.ts'
import { readYaml } from '../../formats/yaml-text.ts'
import type { Folder } from '../../repository-files.ts'

/*
 * What is behind a feature is compiled, and tested, only where somebody asks for it. Which features can be had together, and
 * with which toolchain, nobody knows as well as the project's CI.
 */

const WORKFLOWS = /^\.github\/workflows\/[^/]{1,100}\.ya?ml$/
const MOST_WORKFLOWS = 20
const MOST_STEPS = 500
const MOST_LINES = 50
const LONGEST = 2000

/** Words for `cargo test`, with a space before them; empty: the usual features. */
export function featuresOfCi(folder: Folder, manifest: Fields): string {
  const lines = folder.below(WORKFLOWS, MOST_WORKFLOWS).flatMap((name) => linesOfCi(folder.text(name) ?? ''))
  const declared = namesOf(manifest)
  if (lines.some(takesAll)) return declared.some((name) => OF_NIGHTLY.test(name)) ? '' : ' --all-features'
  const excluded = lines.map(leftByHack).find((names) => names !== null)
  if (excluded === undefined || Object.hasOwn(manifest, 'workspace')) return ''
  const taken = declared.filter((name) => !excluded.includes(name) && !OF_NIGHTLY.test(name))
  const words = excluded.length === 0 ? ' --all-features' : ` --features ${taken.join(',')}`
  return taken.length === 0 || words.length > LONGEST / 4 ? '' : words
}

const OF_NIGHTLY = /nightly/

/** The lines that run in the root, with the usual compiler. */
function linesOfCi(text: string): string[] {
  const jobs = Object.values(fieldsOf(fieldsOf(readYaml(text)?.value)['jobs'])).map(fieldsOf)
  return jobs.filter(isForStable).flatMap((job) =>
    listOf(job['steps'])
      .slice(0, MOST_STEPS)
      .map(fieldsOf)
      .filter((step) => step['working-directory'] === undefined && !/nightly/.test(textOf(step['if']) ?? ''))
      .flatMap((step) =>
        linesOf((textOf(step['run']) ?? '').slice(0, LONGEST).replace(/\\\n/g, ' ')).slice(0, MOST_LINES),
      )
      .map((line) => line.trim().replace(OWN_TARGET, '')),
  )
}

/** A target that depends on the machine is, among others, the one that runs here. */
const OWN_TARGET = / --target[= ](?:\$\{\{[^{}]{0,100}\}\}|x86_64-unknown-linux-gnu)/

function isForStable(job: Fields): boolean {
  const text = JSON.stringify(job)
  return !/nightly/.test(text) || /stable/.test(text)
}

const TESTS = /^cargo (?:\+stable )?(?:test|t|nextest run|hack(?: --?[\w-]{1,40})* test)(?=\s|$)/
/** One package of several, another machine, or a part of the tests. */
const OF_A_PART = /\s(?:-p|--package|--manifest-path|--target|--no-default-features|--no-run)\b|\$\{\{|[;&|]/

const isWhole = (line: string): boolean => TESTS.test(line) && !OF_A_PART.test(line)

const takesAll = (line: string): boolean => isWhole(line) && /\s--all-features(?=\s|$)/.test(line)

/** The features that `cargo hack` leaves out when it tries all others; null: it does not. */
function leftByHack(line: string): string[] | null {
  if (!isWhole(line) || !/\s--(?:feature-powerset|each-feature)(?=\s|$)/.test(line)) return null
  const listed = [...line.matchAll(/\s--(?:exclude-features|skip)[= ]["']?([\w,/-]{1,1000})/g)]
  return listed.flatMap(([, names = '']) => names.split(','))
}

/** Those of the manifest, and the optional dependencies that no feature names as such. */
function namesOf(manifest: Fields): string[] {
  const features = fieldsOf(manifest['features'])
  const named = JSON.stringify(features)
  const dependencies = fieldsOf(manifest['dependencies'])
  const implied = Object.keys(dependencies).filter(
    (name) => fieldsOf(dependencies[name])['optional'] === true && !named.includes(`"dep:${name}"`),
  )
  return [...Object.keys(features), ...implied].filter((name) => name !== 'default' && /^[\w+-]{1,60}$/.test(name))
}
