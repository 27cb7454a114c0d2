import { iniLines } from '../../formats/ini-text.ts'
import { commandClaim, place } from '../../claims.ts'
import type { CommandClaim, Place } from '../../found.ts'
import { djangoTests } from './django-tests.ts'
import { buildRequirements } from './extension.ts'
import { installerOf } from './installers.ts'
import { limitsOf } from './limited-tests.ts'
import { pytestPlace, pytestSettings } from './pytest-settings.ts'
import { hatchScript } from './hatch-script.ts'
import { isMember, membersOf } from './members.ts'
import type { PythonProject } from './python-project.ts'
import { requirementFiles } from './requirement-files.ts'
import { rebuildOffline } from './setup-command.ts'
import { testsOfMembers, usedMembers } from './tests-of-members.ts'
import { variablesOfTests } from './variables-of-tests.ts'

/**
 * In the virtual environment, with its programs in the path: tests start their project's programs by name. A file that
 * cannot be collected should not prevent all others.
 */
const ACTIVATE = '. .venv/bin/activate'
const PYTEST = 'python -m pytest --continue-on-collection-errors'

const OF_PYTEST = /(?:^|\/)(?:test_[^/]*|[^/]*_test)\.py$/
const OF_UNITTEST = /(?:^|\/)tests?[^/]*\.py$/
const OF_OTHERS = /(?:^|\/)(?:\.[^/]*|node_modules|vendor|third[_-]?party|site-packages|_vendor)\//i
const PROJECTS_BELOW = /^(?:pyproject\.toml|setup\.py|Pipfile|requirements\.txt)$/
const PART = /(?:^|\/)(?:tests?|testing|requirements|docs?)$/i

/** The tests of a project and of the members of its workspace. Empty if no file is a test, and no setting names another. */
export function testsOf(project: PythonProject): CommandClaim[] {
  const limits = limitsOf(project)?.map((path) => project.folder.at(path))
  const own = ownTests(project).map((claim) =>
    limits === undefined || !claim.command.includes(PYTEST) ? claim : { ...claim, limits },
  )
  const lineOf = (member: PythonProject) => pytestOf(member, ownFiles(member))
  return [...own, ...testsOfMembers(project, lineOf, rebuildOffline(['.']))]
}

function ownTests(project: PythonProject): CommandClaim[] {
  const { folder } = project
  const said = pytestPlace(project)
  const files = ownFiles(project)
  const command = (line: string, from: Place) =>
    commandClaim(folder, 'python', 'test', before(project) + line, from, said === null ? 'usual' : 'said')
  const from = said ?? place(folder, installerOf(project)?.file ?? files.find((file) => OF_UNITTEST.test(file)) ?? '')
  const pytest = pytestOf(project, files)
  const isUnittest = said === null && files.some((file) => OF_UNITTEST.test(file))
  const django = isUnittest ? djangoTests(project, files) : null
  // If nothing mentions pytest, nothing configures it for Django.
  if (django !== null && !namesPytest(project)) return command(django, from)
  if (pytest !== null && isKnown(project, files)) return command(pytest, from)
  const script = hatchScript(project)
  if (script !== null)
    return commandClaim(folder, 'python', 'test', before(project) + script.command, script.from, 'said')
  if (django !== null) return command(django, from)
  return pytest === null ? [] : command(pytest, from)
}

/** Whether pytest finds tests without being told how their files are called. */
const isKnown = (project: PythonProject, files: readonly string[]): boolean =>
  files.some((file) => OF_PYTEST.test(file)) || /\bdoctest|^python_files\b/m.test(pytestSettings(project)[0])

/** The call of pytest; null: no file is a test. */
function pytestOf(project: PythonProject, files: readonly string[]): string | null {
  const pytest = variablesOfTests(project) + PYTEST + named(pytestSettings(project)[0])
  if (isKnown(project, files)) return pytest + sameNames(project, files)
  return files.some((file) => OF_UNITTEST.test(file) && !/(?:^|\/)tests?\/__init__\.py$/.test(file))
    ? `${pytest} -o 'python_files=test*.py *_test.py'`
    : null
}

function namesPytest({ folder, files }: PythonProject): boolean {
  const { base, tests } = requirementFiles(files)
  return [...DECLARATIONS, ...base, ...tests].some((name) => /\bpytest\b/.test(folder.text(name) ?? ''))
}

const DECLARATIONS = ['pyproject.toml', 'setup.cfg', 'setup.py', 'tox.ini', 'Pipfile', 'noxfile.py']

/**
 * With workers or with `--quiet`, pytest prints dots instead of names, so a lost test would go unnoticed. This
 * overrides it: the last option of the command counts.
 */
const named = (settings: string): string =>
  /^addopts =(?:.*["' ])?(?:-n(?:=|\s|\d|auto|logical)|--numprocesses\b|--dist\b|-q+\b|--quiet\b|--tx\b)/m.test(
    settings,
  )
    ? ' --verbosity=1'
    : ''

/** Builds compiled parts again: otherwise a changed source would not be tested. */
function before(project: PythonProject): string {
  const own = buildRequirements(project) === null ? [] : ['.']
  const all = [...own, ...usedMembers(project).map((at) => `./${at}`)]
  return [ACTIVATE, ...(all.length === 0 ? [] : [rebuildOffline(all)]), ''].join(' && ')
}

/** Files of the project itself and of its workspace; a folder below with its own project answers for itself. */
function ownFiles(project: PythonProject): string[] {
  const files = project.files.filter((file) => !OF_OTHERS.test(file))
  const members = membersOf(project)
  const others = files.flatMap((file) => {
    const cut = file.lastIndexOf('/')
    const folder = file.slice(0, Math.max(0, cut))
    return cut > 0 && PROJECTS_BELOW.test(file.slice(cut + 1)) && !PART.test(folder) && !isMember(folder, members)
      ? [`${folder}/`]
      : []
  })
  const below = [...new Set(others)].slice(0, 200)
  return files.filter((file) => !below.some((folder) => file.startsWith(folder)))
}

/** To pytest, files of one name in folders that are no packages are one module, unless it imports them by path. */
function sameNames(project: PythonProject, files: readonly string[]): string {
  if (pytestSettings(project)[0].includes('import-mode') || mentions(project)) return ''
  const all = new Set(files)
  const seen = new Set<string>()
  for (const file of files) {
    if (!OF_PYTEST.test(file)) continue
    const cut = file.lastIndexOf('/')
    if (all.has(`${file.slice(0, Math.max(0, cut))}/__init__.py`.replace(/^\//, ''))) continue
    const name = file.slice(cut + 1)
    if (seen.has(name)) return ' --import-mode=importlib'
    seen.add(name)
  }
  return ''
}

const mentions = ({ tox }: PythonProject): boolean =>
  iniLines(tox, 'testenv', 'commands').some((line) => line.includes('import-mode'))
