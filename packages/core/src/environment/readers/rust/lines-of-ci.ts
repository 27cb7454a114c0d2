import { fieldsOf, listOf, textOf, type Fields } from '../../formats/records.ts'
import { linesOf } from '../../formats/lines.ts'
import { readYaml } from '../../formats/yaml-text.ts'
import type { Folder } from '../../files/repository-files.ts'

/** A line of a step; `at` is the folder in which it runs, `''` for the root. */
export type CiLine = { line: string; at: string }

const WORKFLOWS = /^\.github\/workflows\/[^/]{1,100}\.ya?ml$/
const MOST_WORKFLOWS = 20
const MOST_STEPS = 500
const MOST_LINES = 50
const LONGEST = 2000

/** Reads the literal lines that workflows run with the usual compiler. */
export const linesOfCi = (folder: Folder): CiLine[] =>
  folder.below(WORKFLOWS, MOST_WORKFLOWS).flatMap((name) => linesOfWorkflow(folder.text(name) ?? ''))

function linesOfWorkflow(text: string): CiLine[] {
  const jobs = Object.values(fieldsOf(fieldsOf(readYaml(text)?.value)['jobs'])).map(fieldsOf)
  return jobs.filter(isForStable).flatMap((job) =>
    listOf(job['steps'])
      .slice(0, MOST_STEPS)
      .map(fieldsOf)
      .filter((step) => !FOR_NIGHTLY.test(textOf(step['if']) ?? ''))
      .flatMap((step) => {
        const script = (textOf(step['run']) ?? '').slice(0, LONGEST).replace(/\\\n/g, ' ')
        const at = (textOf(step['working-directory']) ?? '').replace(/^\.\/|\/$/g, '')
        return linesOf(script)
          .slice(0, MOST_LINES)
          .map((line) => ({ line: line.trim().replace(OWN_TARGET, ''), at }))
      }),
  )
}

/** Ignores `matrix.rust != 'nightly'`; in JSON a quotation mark has a backslash before it. */
const FOR_NIGHTLY = /(?<!!= {0,3}[\\'"]{0,2})nightly/

/** A target by a variable of the matrix may be the one that runs here. */
const OWN_TARGET = / --target[= ](?:\$\{\{[^{}]{0,100}\}\}|x86_64-unknown-linux-gnu)/

function isForStable(job: Fields): boolean {
  const text = JSON.stringify(job)
  return !FOR_NIGHTLY.test(text) || /stable/.test(text)
}

/** Matches a call of Cargo's tests, with any words around its subcommand. */
export const TESTS_BY_CARGO = /^cargo (?:\+stable )?(?:test|t|nextest run|hack(?: --?[\w-]{1,40})* test)(?=\s|$)/
