import { fieldsOf, listOf, textOf } from '../../formats/records.ts'
import type { Place } from '../../found.ts'
import type { PythonProject } from './python-project.ts'

const ENVIRONMENTS = ['test', 'tests', 'testing', 'default', 'dev']
const SCRIPTS = ['test', 'tests', 'run', 'all']
const MOST_LINES = 20

/** Test programs that need only the current environment. */
const TESTS = /^(?:python3?\s+-m\s+)?(?:unittest|pytest|coverage\s+run)\b/

/**
 * The test command in a script of a Hatch environment, without Hatch. Null: there is none, or it calls Hatch again or
 * is made of other scripts.
 */
export function hatchScript({ hatch, placeOf }: PythonProject): { command: string; from: Place } | null {
  for (const environment of ENVIRONMENTS) {
    const scripts = fieldsOf(fieldsOf(hatch[environment])['scripts'])
    for (const name of SCRIPTS) {
      const script = scripts[name]
      const lines = (Array.isArray(script) ? listOf(script).slice(0, MOST_LINES) : [script]).map((line) =>
        withoutArguments(textOf(line) ?? ''),
      )
      if (!lines.some((line) => TESTS.test(line)) || lines.some((line) => line === '' || /[{}\n]|\bhatch\b/.test(line)))
        continue
      return { command: lines.join(' && '), from: placeOf('tool', 'hatch', 'envs', environment, 'scripts', name) }
    }
  }
  return null
}

/** `{args}` is typed by a person behind the script's name; `{args:tests}` has a default. */
const withoutArguments = (line: string): string =>
  line.replace(/\{args(?::([^{}]{0,200}))?\}/g, (_, usual: string | undefined) => usual ?? '').trim()
