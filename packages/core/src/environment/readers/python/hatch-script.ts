import { fieldsOf, listOf, textOf } from '../../formats/records.ts'
import type { Place } from '../../found.ts'
import type { PythonProject } from './python-project.ts'

const ENVIRONMENTS = ['test', 'tests', 'testing', 'default', 'dev']
const SCRIPTS = ['test', 'tests', 'run', 'all']
const MOST_LINES = 20

/** Programs that test and need no environment but the one that is there. */
const TESTS = /^(?:python3?\s+-m\s+)?(?:unittest|pytest|coverage\s+run)\b/

/**
 * What a script of a Hatch environment runs to test, without Hatch. Null: there is none, or one that calls Hatch again or
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

/** `{args}` is what somebody types behind the script's name; `{args:tests}` has what counts without. */
const withoutArguments = (line: string): string =>
  line.replace(/\{args(?::([^{}]{0,200}))?\}/g, (_, usual: string | undefined) => usual ?? '').trim()
