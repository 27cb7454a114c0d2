import { iniLines, type Ini } from '../../formats/ini-text.ts'
import { linesOf } from '../../formats/lines.ts'
import { textOf } from '../../formats/records.ts'
import { nameIn, requirementOf, wordsOf } from './requirement.ts'

/** Installed for tests, beside the project itself. Only text that can be part of a command line. */
export type Needs = {
  extras: readonly string[]
  groups: readonly string[]
  /** Files with requirements, and with constraints, from the project's folder. */
  files: readonly string[]
  constraints: readonly string[]
  requirements: readonly string[]
}

export const nothing: Needs = { extras: [], groups: [], files: [], constraints: [], requirements: [] }

const MOST = 60

/** Each need once; of several requirements for one package, the first. */
export function together(all: readonly Needs[]): Needs {
  const of = (key: keyof Needs): string[] => [...new Set(all.flatMap((one) => one[key]))].slice(0, MOST)
  const byName = new Map<string, string>()
  for (const one of of('requirements')) if (!byName.has(nameIn(one))) byName.set(nameIn(one), one)
  return {
    extras: of('extras'),
    groups: of('groups'),
    files: of('files'),
    constraints: of('constraints'),
    requirements: [...byName.values()],
  }
}

/** Words of `pip install`: `-r x.txt`, `-e .[test]`, `--group dev`, `pytest>=8`. Words with an address are left out. */
export function needsOfWords(words: readonly string[]): Needs {
  const needs = { extras: [] as string[], groups: [] as string[], files: [] as string[], constraints: [] as string[] }
  const requirements: string[] = []
  for (let at = 0; at < words.length; at += 1) {
    const word = (words[at] ?? '').trim()
    const [, option = '', joined = ''] =
      /^(-[rce]|--requirement|--constraint|--editable|--group)[= ]?(.*)$/.exec(word) ?? []
    const value = option === '' ? word : (joined || (words[(at += 1)] ?? '')).trim()
    const path = value.replace(/^\{(?:toxinidir|tox_root)\}\/?/, '').replace(/^\.\//, '')
    if (option === '-r' || option === '--requirement') needs.files.push(path)
    else if (option === '-c' || option === '--constraint') needs.constraints.push(path)
    else if (option === '--group') needs.groups.push(...wordsOf([value]))
    else if (/^(?:\.|\{toxinidir\})\[[\w.,\s-]{1,200}\]$/.test(value))
      needs.extras.push(...wordsOf(value.replace(/^.*\[|\]$/g, '').split(/[\s,]+/)))
    else if (option === '') requirements.push(...(requirementOf(value) === null ? [] : [value]))
  }
  return { ...needs, requirements }
}

const ENVIRONMENTS = ['testenv', 'testenv:py', 'testenv:py3', 'testenv:test', 'testenv:tests', 'testenv:unit']

/**
 * The needs of the first environment of tox that installs something. Lines for only some variants are left out: their
 * extras and groups would contradict each other. If a package is tried in several versions, any will do.
 */
export function needsOfTox(ini: Ini): Needs {
  const sections = ENVIRONMENTS.filter((one) => ini.has(one))
  const own = sections.find((one) => ini.get(one)?.values.has('deps')) ?? sections[0]
  if (own === undefined) return nothing
  const lines = iniLines(ini, own, 'deps').flatMap((line) => {
    const [, section, key] = /^\{\[([^\]]{1,80})\]([\w-]{1,40})\}$/.exec(line) ?? []
    return section === undefined || key === undefined ? [line] : iniLines(ini, section, key.toLowerCase())
  })
  const plain = (all: readonly string[]) =>
    all.map((line) => ofEachPython(withoutComment(line))).filter((line) => !VARIANT.test(line))
  const listed = (key: string) => iniLines(ini, own, key)
  const names = (lines: readonly string[]) => wordsOf(plain(lines).flatMap((line) => line.split(/[\s,]+/)))
  return together([
    needsOfWords(plain(lines)),
    { ...nothing, extras: names(listed('extras').map(withoutItsVariant)), groups: names(listed('dependency_groups')) },
    { ...nothing, requirements: lines.flatMap((line) => NUMBERED.exec(withoutComment(line))?.[1] ?? []) },
  ])
}

const withoutComment = (line: string): string => line.replace(/\s#.*$/, '').trim()

/** `django52: Django~=5.2`, `py39,!lint: mock` */
const VARIANT = /^[\w.,{}!-]{1,100}\s{0,5}:/
/** A line for all versions of Python applies to every run: `py312,py313,py314: mock`. */
function ofEachPython(line: string): string {
  const [, variants = '', rest = ''] = /^([\w.,!-]{1,300})\s{0,5}:\s{0,20}(\S.*)$/.exec(line) ?? []
  return variants.split(',').filter((one) => /^(?:py)?3\.?\d{1,2}$/.test(one)).length > 1 ? rest : line
}

/** The variant for an extra is named after it (`crypto: crypto`); the others do without. */
const withoutItsVariant = (line: string): string => line.replace(/^([\w-]{1,40})\s{0,5}:\s{0,20}(?=\1$)/, '')
/** A variant named after a version of a package; those named after Python's have needs of their own. */
const NUMBERED = /^(?!py)[a-z]{1,40}\d{1,4}\s{0,5}:\s{0,20}([a-z][\w.-]{0,60})(?=[\s<>=~!;]|$)(?!\s{0,5}@)/i

/** The installations of the sessions for tests, if they are literal. */
export function needsOfNox(text: string): Needs {
  const sessions = text
    .split(/^def /m)
    .slice(1)
    .filter((one) => /^\w{0,40}(?:test|unit)/i.test(one))
  const literals = (call: string): string[] =>
    [...call.matchAll(/"([^"\n]{1,200})"|'([^'\n]{1,200})'/g)].map(([, one, other]) => one ?? other ?? '')
  const calls = (pattern: RegExp) => sessions.flatMap((one) => [...one.matchAll(pattern)].map(([, call = '']) => call))
  // Words for another call, or behind `--group`, are names of groups, not of packages in a registry.
  const installed = calls(/session\.install\(([^)]{0,1000})\)/g).map((call) =>
    literals(call.replace(/[\w.]{1,100}\([^()]*/g, '')),
  )
  const isGroup = (all: readonly string[], at: number): boolean => all[at - 1] === '--group'
  const groups = [
    ...calls(/dependency_groups\(([^)]{0,300})\)/g).flatMap(literals),
    ...installed.flatMap((all) => all.filter((_, at) => isGroup(all, at))),
  ]
  const needs = installed.map((all) => needsOfWords(all.filter((_, at) => !isGroup(all, at))))
  return together([...needs, { ...nothing, groups: wordsOf(groups) }])
}

/** Options and settings of pytest that belong to a plugin; without it pytest does not start. */
const PLUGINS: readonly [sign: RegExp, plugin: string][] = [
  [/(?:^|\s)--(?:no-)?cov\b/m, 'pytest-cov'],
  [/(?:^|\s)(?:-n[= ]?(?:auto|\d)|--numprocesses|--dist[= ])/m, 'pytest-xdist'],
  [/^asyncio_(?:mode|default_fixture_loop_scope)\b|--asyncio-mode\b/m, 'pytest-asyncio'],
  [/^django_settings_module\b|--(?:ds|reuse-db|no-migrations)\b/im, 'pytest-django'],
  [/^timeout\b|--timeout\b/m, 'pytest-timeout'],
  [/--benchmark-/, 'pytest-benchmark'],
  [/--reruns\b/, 'pytest-rerunfailures'],
  [/^env\b/m, 'pytest-env'],
  [/--mypy\b/, 'pytest-mypy'],
  [/--flake8\b/, 'pytest-flake8'],
  [/--(?:randomly-|random-order)/, 'pytest-randomly'],
  [/--socket-|--disable-socket\b/, 'pytest-socket'],
  [/--snapshot-/, 'syrupy'],
]

/** @param settings pytest's own, a line for each: `addopts = …` */
export function needsOfPytest(settings: string, required: unknown): Needs {
  const named = Array.isArray(required) ? required.map(textOf) : (textOf(required) ?? '').split(/\s+(?![<>=!~])/)
  return {
    ...nothing,
    requirements: [
      ...named.flatMap((one) => (one && requirementOf(one) !== null ? [one] : [])),
      ...PLUGINS.filter(([sign]) => sign.test(settings)).map(([, plugin]) => plugin),
    ],
  }
}

/** The literal list behind a name: `tests_require=["a", "b"]`. */
export const literalList = (text: string, name: RegExp): string[] => {
  const start = name.exec(text)
  if (start === null) return []
  const list = text.slice(start.index + start[0].length, start.index + start[0].length + 3000).split(/[\])]/)[0] ?? ''
  return linesOf(list)
    .map((line) => line.replace(/#.*$/, ''))
    .flatMap((line) =>
      [...line.matchAll(/"([^"\n]{1,200})"|'([^'\n]{1,200})'/g)].map(([, one, other]) => one ?? other ?? ''),
    )
}
