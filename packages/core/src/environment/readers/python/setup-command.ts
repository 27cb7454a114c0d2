import type { CommandClaim } from '../../found.ts'
import { textOf } from '../../formats/records.ts'
import type { AskedSiblings } from './asked.ts'
import { buildRequirements, required, withBesides } from './extension.ts'
import type { Installer } from './installers.ts'
import { firstThatWorks, pdmCommands, pipenvCommands, poetryCommands, uvCommands, words } from './lock-commands.ts'
import { nothing, together, type Needs } from './needs.ts'
import { LONGEST_COMMAND } from '../../claims.ts'
import { isPackage, PROJECT, tableOf, type PythonProject } from './python-project.ts'
import { requirementFiles } from './requirement-files.ts'
import { nameIn } from './requirement.ts'
import { compiledMembers } from './tests-of-members.ts'
import { pipfileNeeds, poetryNeeds, testNeeds } from './needs-of-tests.ts'

/** The virtual environment ignores itself: otherwise its thousands of files would count as the agent's work. */
const ENVIRONMENT = "python3 -m venv .venv && echo '*' > .venv/.gitignore && . .venv/bin/activate"

/** Debian 12's pip is older than groups. */
const NEWER_PIP = "pip install --quiet 'pip>=25.1'"

const LONGEST = 1500
/** Each has at least ten letters, in a command line of two thousand. */
const MOST_SIBLINGS = 60

/**
 * Null: there are too many packages for a command line, and a registry would be asked for each one that is left out.
 *
 * @param tests the runner of the tests
 */
export function setupOf(
  project: PythonProject,
  by: Installer,
  own: AskedSiblings,
  tests: readonly CommandClaim[],
): string | null {
  if (own.folders.length > MOST_SIBLINGS) return null
  const line = (parts: readonly string[]) => [ENVIRONMENT, ...parts].join(' && ')
  if (by !== 'pip' && own.folders.length === 0) return line([...lockCommands(project, by), ...builtMembers(project)])
  const isPytest = tests.some(({ command }) => command.includes('python -m pytest'))
  const lines = [
    { isApart: true, isDated: isPytest && by !== 'uv' },
    { isApart: false, isDated: isPytest && by !== 'uv' },
    { isApart: false, isDated: false },
  ].map((second) => line([...pipCommands(project, by, own, second), ...builtMembers(project)]))
  return lines.find((one) => one.length <= LONGEST_COMMAND) ?? lines.at(-1)!
}

/** For a second try after a failure: each requirement apart, and versions as of the day of the commit. */
type Second = { isApart: boolean; isDated: boolean }

function lockCommands(project: PythonProject, by: Exclude<Installer, 'pip'>): string[] {
  const { folder } = project
  const pip = by === 'uv' ? 'uv pip install' : 'pip install'
  const build = buildRequirements(project)
  return [
    by === 'uv'
      ? firstThatWorks(uvCommands(project, folder.has('uv.lock')))
      : by === 'poetry'
        ? firstThatWorks(poetryCommands(project, folder.has('poetry.lock')))
        : by === 'pdm'
          ? firstThatWorks(pdmCommands())
          : firstThatWorks(pipenvCommands(folder.has('Pipfile.lock'))),
    // Few projects leave pytest out; if it is locked, nothing is requested.
    ...(namesPytest(folder.text(by === 'pipenv' ? 'Pipfile' : PROJECT) ?? '') ? [] : [`${pip} pytest`]),
    ...(build === null ? [] : [`pip install ${words(build).join(' ')}`, REBUILD]),
  ]
}

const namesPytest = (text: string): boolean => /(?:^|["'])pytest(?:["'\s=<>~!;[]|$)/m.test(text)

/** Runs without the network, with its build tools in the environment: the tests repeat it for a changed source. */
const REBUILD = 'pip install --no-build-isolation --no-deps -e .'
export const rebuildOffline = (folders: readonly string[]): string =>
  `pip install --quiet --no-index --no-build-isolation --no-deps ${folders.map((at) => `-e ${at}`).join(' ')}`

/** Build tools for members with compiled parts. A member that cannot be built does not stop the others. */
const builtMembers = (project: PythonProject): string[] =>
  compiledMembers(project).map(
    ({ at, build }) =>
      `{ pip install ${words(build).join(' ')} && pip install --no-build-isolation --no-deps -e ./${at} || true; }`,
  )

/** A project's needs, with those that only Poetry or Pipenv read: pip has to install them instead. */
const needsOf = (project: PythonProject, by: Installer): Needs =>
  together([
    testNeeds(project),
    ...(by === 'poetry' ? [poetryNeeds(project)] : []),
    ...(by === 'pipenv' ? [pipfileNeeds(project)] : []),
  ])

function pipCommands(
  project: PythonProject,
  by: Installer,
  own: AskedSiblings,
  { isApart, isDated }: Second,
): string[] {
  const all = fitting(withoutNames(needsOf(project, by), own.names))
  const pip = by === 'uv' ? 'uv pip install' : 'pip install'
  const { base } = requirementFiles(project.files)
  const build = buildWith(project, own)
  const hashed = (file: string) => (project.folder.text(file) ?? '').includes('--hash=')
  const locked = all.files.filter(hashed)
  // In each command, because pip asks PyPI for a name without a folder.
  const first = [pip, ...(build === null ? [] : ['--no-build-isolation']), ...own.editables]
  const needed = { ...nothing, files: base.filter((file) => !locked.includes(file)) }
  // Even without a build backend, pip can install a project of Poetry.
  const isInstalled =
    isPackage(project) || (by === 'poetry' && tableOf(project, 'tool', 'poetry')['package-mode'] !== false)
  const install = (needs: Needs) => [...first, ...wordsFor(project, isInstalled, needs)].join(' ')
  const wanted = { ...all, files: all.files.filter((file) => !locked.includes(file)) }
  const once = firstThatWorks([install(wanted), install(needed)])
  const installed = isApart
    ? firstThatWorks([install(wanted), oneByOne(install(needed), apartOf(wanted), first.join(' '))])
    : once
  return [
    ...(all.groups.length > 0 && by !== 'uv' ? [NEWER_PIP] : []),
    ...(build === null ? [] : [[pip, ...own.builders, ...words(build)].join(' ')]),
    // If one requirement has a hash, pip wants one for each.
    ...(locked.length > 0 ? [`${pip} ${locked.map((file) => `-r ${file}`).join(' ')}`] : []),
    installed,
    ...(isDated && once !== 'pip install pytest' && locked.length === 0 && build === null ? [asOfItsDay(once)] : []),
  ]
}

/** Leaves out requirements that come from folders, unless they ask for an extra. */
const withoutNames = (needs: Needs, names: ReadonlySet<string>): Needs => ({
  ...needs,
  requirements: needs.requirements.filter((one) => one.includes('[') || !names.has(nameIn(one))),
})

/** pip asks PyPI for build tools by themselves, so those that the repository has itself are installed before. */
function buildWith(project: PythonProject, own: AskedSiblings): string[] | null {
  const build = buildRequirements(project)
  if (build === null && own.builders.length === 0) return null
  const all = own.folders.length === 0 ? [] : withBesides(own.build)
  return [...new Set([...(build ?? withBesides(required(project))), ...all])].filter(
    (one) => !own.names.has(nameIn(one)),
  )
}

/**
 * If one of them cannot be had (a driver that needs its database's headers), the others are still installed. The
 * project itself comes last, so that its requirements win.
 */
function oneByOne(needed: string, parts: readonly (readonly string[])[], first: string): string {
  if (parts.length < 2) return needed
  const each = parts.map((part) => `${[first, ...part].join(' ')} || true;`)
  return `{ ${each.join(' ')} ${needed}; }`
}

const MOST_PARTS = 20

const apartOf = ({ extras, groups, files, constraints, requirements }: Needs): string[][] =>
  [
    ...extras.map((name) => ['-e', ...words([`.[${name}]`])]),
    ...groups.map((name) => ['--group', name]),
    ...files.map((file) => ['-r', file]),
    ...words(requirements).map((one) => [one]),
  ]
    .slice(0, MOST_PARTS)
    .map((part) => [...part, ...constraints.map((file) => `-c ${file}`)])

/**
 * Unlocked packages are newer than the code, and may be too new. If pytest cannot even collect the tests, versions as
 * of the day of the commit are installed instead.
 */
const asOfItsDay = (installed: string): string =>
  `case "$(python -m pytest --collect-only -q > /dev/null 2>&1; echo $?)" in [234]) ( pip install --quiet 'pip>=26'; export PIP_FORCE_REINSTALL=1 PIP_UPLOADED_PRIOR_TO="$(git log -1 --format=%cI)"; ${installed} ) || true;; esac`

/** As many requirements as fit into a command line. */
function fitting(needs: Needs): Needs {
  let room = LONGEST
  return { ...needs, requirements: needs.requirements.filter((one) => (room -= one.length + 3) > 0) }
}

/** pytest is added, since few projects list it as a requirement. */
function wordsFor(
  project: PythonProject,
  isInstalled: boolean,
  { extras, groups, files, constraints, requirements }: Needs,
): string[] {
  const self = extras.length > 0 ? `.[${extras.join(',')}]` : '.'
  const isListed = requirements.some((one) => nameIn(one) === 'pytest') || project.name === 'pytest'
  return [
    ...(isInstalled ? ['-e', ...words([self])] : []),
    ...groups.map((name) => `--group ${name}`),
    ...files.map((file) => `-r ${file}`),
    ...constraints.map((file) => `-c ${file}`),
    ...words(requirements.map((one) => textOf(one) ?? '')),
    ...(isListed ? [] : ['pytest']),
  ]
}
