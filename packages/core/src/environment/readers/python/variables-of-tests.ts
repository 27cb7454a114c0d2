import { iniLines } from '../../formats/ini-text.ts'
import { fieldsOf, textOf } from '../../formats/records.ts'
import type { PythonProject } from './python-project.ts'

/** `NAME=value`, without anything that a shell, tox or Hatch would expand. */
const PLAIN = /^([A-Za-z_]\w{0,60})\s{0,5}=\s{0,5}([\w./:@%+,=-]{0,200})$/
/** Variables for the environment itself, for coverage, or for pytest's output. */
const OF_ITS_OWN = /^(?:PIP_|UV_|TOX|HATCH|VIRTUAL_?ENV|COV|PYTEST_|PATH$|HOME$|PYTHON(?:PATH|HOME)$)|COLOR/i
const MOST = 20

const HATCH_ENVIRONMENTS = ['hatch-test', 'test', 'tests', 'testing', 'default', 'dev']

/**
 * The variables that tox and Hatch set for the tests, as words before the command: without them some tests are skipped
 * or fail. Empty, or with a space at the end.
 */
export function variablesOfTests({ tox, toxTables, hatch }: PythonProject): string {
  const ofTox = ['setenv', 'set_env'].flatMap((key) => iniLines(tox, 'testenv', key))
  const ofTables = written(fieldsOf(fieldsOf(toxTables['env_run_base'])['set_env']))
  const ofHatch = HATCH_ENVIRONMENTS.flatMap((name) => written(fieldsOf(fieldsOf(hatch[name])['env-vars'])))
  const known = new Map<string, string>()
  for (const line of [...ofTox, ...ofTables, ...ofHatch]) {
    const [, name, value = ''] = PLAIN.exec(line) ?? []
    if (name !== undefined && !OF_ITS_OWN.test(name) && !known.has(name) && known.size < MOST) known.set(name, value)
  }
  return [...known].map(([name, value]) => `${name}=${value} `).join('')
}

const written = (table: Record<string, unknown>): string[] =>
  Object.entries(table).flatMap(([name, value]) => (textOf(value) === null ? [] : [`${name}=${textOf(value)}`]))
