import { fieldsOf, listOf, textOf } from '../../formats/records.ts'
import { shellWord } from '../../../text/shell-word.ts'
import { membersOf } from './members.ts'
import { tableOf, type PythonProject } from './python-project.ts'
import { forTests, isForTests, wordsOf } from './requirement.ts'
import { groupsOf, poetryNeeds } from './needs-of-tests.ts'

/*
 * The commands of the tools that keep lock files. They first include everything optional, because tests skip what is
 * missing; if that cannot be had (an extra that builds only on its author's machine), only what tests surely need.
 */

/** In the existing virtual environment, whichever Python a `.python-version` would prefer. */
export function uvCommands(project: PythonProject, isLocked: boolean): string[] {
  const all = Object.keys(tableOf(project, 'tool', 'uv', 'workspace')).length > 0 ? ['--all-packages'] : []
  const python = ['--python', 'python3']
  const groups = groupsOf(project)
  const inAll = all.length > 0
  const hasExtras = inAll || Object.keys(tableOf(project, 'project', 'optional-dependencies')).length > 0
  const left = excluded(project)
  const everything = [
    ...(inAll || groups.length > 0 ? ['--all-groups'] : []),
    ...left.groups.flatMap((name) => ['--no-group', name]),
    ...(hasExtras ? ['--all-extras'] : []),
    ...left.extras.flatMap((name) => ['--no-extra', name]),
  ]
  const needed = forTests(groups).flatMap((name) => ['--group', name])
  const sync = (...words: string[]) => ['uv sync', ...words, ...python, ...all].join(' ')
  const frozen = isLocked ? ['--frozen'] : []
  const apart = isLocked ? outOfRegistries(project).flatMap((name) => ['--no-install-package', name]) : []
  return [
    [sync(...(isLocked ? ['--locked'] : [])), ...everything].join(' '),
    // An outdated lock file is still what people meant to install.
    [sync(...frozen), ...needed].join(' '),
    ...(apart.length > 0 ? [[sync(...frozen), ...everything, ...apart].join(' ')] : []),
    // An example that cannot be built should not prevent the installation of the root package.
    ...(inAll && Object.keys(tableOf(project, 'project')).length > 0
      ? [['uv sync', ...frozen, ...python, ...everything, ...apart].join(' ')]
      : []),
  ]
}

/** Packages from a repository or an address of their own, which may be out of reach: mostly tools. */
function outOfRegistries(project: PythonProject): string[] {
  const sources = Object.entries(tableOf(project, 'tool', 'uv', 'sources'))
  const isElsewhere = (source: unknown) => ['git', 'url'].some((key) => Object.hasOwn(fieldsOf(source), key))
  return wordsOf(sources.filter(([, source]) => isElsewhere(source)).map(([name]) => name)).slice(0, 10)
}

/** Extras and groups that exclude each other, without the one to keep: the one for tests, or the first. */
function excluded(project: PythonProject): { extras: string[]; groups: string[] } {
  const left = { extras: [] as string[], groups: [] as string[] }
  for (const set of listOf(tableOf(project, 'tool', 'uv')['conflicts']).slice(0, 50)) {
    const items = listOf(set).slice(0, 50).map(fieldsOf)
    const kept = items.find((item) => isForTests(textOf(item['group']) ?? textOf(item['extra']) ?? '')) ?? items[0]
    for (const item of items) {
      if (item === kept) continue
      left.extras.push(...wordsOf([textOf(item['extra']) ?? '']))
      left.groups.push(...wordsOf([textOf(item['group']) ?? '']))
    }
  }
  return { extras: [...new Set(left.extras)], groups: [...new Set(left.groups)] }
}

/**
 * Poetry asks PyPI in its own way, which few mirrors know. pip can install its locked packages, with their hashes, from
 * any of them.
 */
export function poetryCommands(project: PythonProject, isLocked: boolean): string[] {
  const groups = tableOf(project, 'tool', 'poetry', 'group')
  const optional = Object.keys(groups).filter((name) => fieldsOf(groups[name])['optional'] === true)
  const wanted = wordsOf(forTests(optional))
  const needed = wanted.length > 0 ? [`--with ${wanted.join(',')}`] : []
  const hasExtras =
    Object.keys(tableOf(project, 'tool', 'poetry', 'extras')).length > 0 ||
    Object.keys(tableOf(project, 'project', 'optional-dependencies')).length > 0
  const all = [...needed, ...(hasExtras ? ['--all-extras'] : [])]
  const install = (words: readonly string[]) => ['poetry install --no-interaction', ...words].join(' ')
  const editable = editablesOf(project)
  const everyGroup = wordsOf([...Object.keys(groups), ...groupsOf(project)]).filter(
    (name) => !optional.includes(name) || wanted.includes(name),
  )
  const dev = Object.keys(tableOf(project, 'tool', 'poetry', 'dev-dependencies')).length > 0 ? ['dev'] : []
  const exported = [...new Set([...everyGroup, ...dev])]
  const list = [
    'poetry export',
    ...(exported.length > 0 ? [`--with ${exported.join(',')}`] : []),
    ...(hasExtras ? ['--all-extras'] : []),
    '| grep -v file: > .venv/locked.txt',
  ].join(' ')
  const byPip = [
    list,
    'pip install --no-deps -r .venv/locked.txt',
    ...(editable.length === 0 ? [] : [`pip install --no-deps ${editable.join(' ')}`]),
  ].join(' && ')
  return [install(all), install(needed), isLocked ? `{ ${byPip}; }` : withoutLock(project)]
}

/** pip asks no registry for packages with a path, and takes none of them together with hashes. */
function editablesOf(project: PythonProject): string[] {
  const paths = membersOf(project).filter((path) => !path.includes('*'))
  const itself = tableOf(project, 'tool', 'poetry')['package-mode'] === false ? [] : ['-e .']
  return [...paths.map((path) => `-e ./${path}`), ...itself]
}

/** The packages that can be had without Poetry's own way to PyPI. */
function withoutLock(project: PythonProject): string {
  const beside = poetryNeeds(project).requirements.filter((name) => name !== 'pytest')
  return `pip install ${[...editablesOf(project), ...words(beside), 'pytest'].join(' ')}`
}

export const pdmCommands = (): string[] => ['pdm sync --group :all', 'pdm sync --dev']

export const pipenvCommands = (isLocked: boolean): string[] => [
  isLocked ? 'pipenv sync --dev' : 'pipenv install --dev --skip-lock',
]

/** Tries one command after the other until one succeeds. */
export const firstThatWorks = (commands: readonly string[]): string => {
  const all = [...new Set(commands)]
  return all.length === 1 ? (all[0] ?? '') : `{ ${all.join(' || ')}; }`
}

export const words = (list: readonly string[]): string[] => list.map(shellWord)
