import { iniLines } from '../../formats/ini-text.ts'
import type { PythonProject } from './python-project.ts'

const MANAGE = /^(?:[^/]+\/)?manage\.py$/
/** Sites that demonstrate a package, which has its own tests elsewhere. */
const DEMO = /^(?:examples?|demos?|samples?|sandbox|playground|tutorials?|docs?)\//i
const RUNNER = /^(?:tests?\/)?run_?tests?\.py$/
const SETTINGS = /^(tests?)\/settings\.py$/
const PLAIN = /^[\w./-]+$/

/** `-v 2` names the tests; `--noinput` replaces a database of an earlier run without a question. */
const OPTIONS = '-v 2 --noinput'

/**
 * The command that tests a site or a package of Django, from the surest source: the command of tox, the site's own
 * program, a program named after the tests, settings for the tests. Null: nothing says that Django has any.
 *
 * @param files the project's own files
 */
export function djangoTests(project: PythonProject, files: readonly string[]): string | null {
  const there = (is: RegExp) => files.filter((file) => is.test(file) && PLAIN.test(file)).toSorted(byDepth)
  const sites = there(MANAGE)
  const site = sites.find((file) => !DEMO.test(file))
  const isNamed = namesDjango(project)
  const runner = isNamed ? there(RUNNER)[0] : undefined
  const settings = isNamed ? SETTINGS.exec(there(SETTINGS)[0] ?? '')?.[1] : undefined
  return (
    ofTox(project, files) ??
    (site === undefined ? null : ofSite(site)) ??
    (runner === undefined ? null : `python ${runner}`) ??
    (settings === undefined ? null : withSettings(`${settings}.settings`, settings)) ??
    (sites[0] === undefined ? null : ofSite(sites[0]))
  )
}

const byDepth = (a: string, b: string): number => a.split('/').length - b.split('/').length

const DECLARATIONS = ['pyproject.toml', 'setup.cfg', 'setup.py', 'tox.ini', 'Pipfile', 'requirements.txt']
const namesDjango = ({ folder }: PythonProject): boolean =>
  DECLARATIONS.some((name) => /\bdjango\b/i.test(folder.text(name) ?? ''))

function ofSite(file: string): string {
  const cut = file.lastIndexOf('/')
  const run = `python manage.py test ${OPTIONS}`
  return cut === -1 ? run : `cd ${file.slice(0, cut)} && ${run}`
}

const withSettings = (settings: string, words: string): string =>
  `DJANGO_SETTINGS_MODULE=${settings} python -m django test ${OPTIONS} ${words}`.trim()

/** Takes the command out of coverage that may be measured around it, without lines for a single variant. */
function ofTox({ tox }: PythonProject, files: readonly string[]): string | null {
  const lines = iniLines(tox, 'testenv', 'commands').join('\n').replace(/\\\n/g, ' ').split('\n')
  const settings = settingsOf(tox)
  for (const line of lines.slice(0, MOST_LINES).map(substituted)) {
    const [, words] = /(?:\s-m\s+django|\bdjango-admin(?:\.py)?)\s+test(?=\s|$)([^{}$`;&|<>]*)$/.exec(line) ?? []
    if (words?.includes('--settings=')) return `python -m django test ${OPTIONS} ${labelsOf(words)}`
    if (words !== undefined && settings !== null) return withSettings(settings, labelsOf(words))
    const [, program = ''] =
      /^(?:python3?|coverage run)(?:\s+-\S+|\s+coverage run)*\s+(\S+\.py)(?=\s|$)/.exec(line) ?? []
    if (RUNNER.test(program) && files.includes(program)) return `python ${program}`
  }
  return null
}

const MOST_LINES = 50
const LONGEST = 1000

const substituted = (line: string): string =>
  line
    .slice(0, LONGEST)
    .replace(/(--(?:settings|pythonpath|tag|exclude-tag))\s+/g, '$1=')
    .replace(/\{posargs(?::([^{}]{0,200}))?\}/g, (_, usual: string | undefined) => usual ?? '')
    .replace(/\{(?:envpython|env_python)\}/g, 'python')
    .replace(/\{(?:toxinidir|tox_root)\}\//g, '')
    .trim()

function settingsOf(tox: PythonProject['tox']): string | null {
  const lines = ['setenv', 'set_env'].flatMap((key) => iniLines(tox, 'testenv', key))
  return lines.flatMap((line) => /^DJANGO_SETTINGS_MODULE\s*=\s*([\w.]{1,100})$/.exec(line)?.[1] ?? [])[0] ?? null
}

/** The words that choose tests and settings. The verbosity is already decided. */
const labelsOf = (words: string): string =>
  words
    .split(/\s+/)
    .filter((word) => LABEL.test(word) && !/^\d+$/.test(word))
    .join(' ')

const LABEL = /^(?:--(?:settings|pythonpath|tag|exclude-tag)=)?[\w.][\w./-]*$/
