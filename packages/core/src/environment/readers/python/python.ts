import { commandClaim, place, toolClaim, unreadable } from '../../claims.ts'
import { iniLines } from '../../formats/ini-text.ts'
import { fieldsOf, textOf } from '../../formats/records.ts'
import { readToml, tomlLine } from '../../formats/toml-text.ts'
import { isObject } from '../../../text/json-object.ts'
import type { CommandClaim, Reading, ToolClaim } from '../../found.ts'
import type { Folder } from '../../files/repository-files.ts'
import { siblingsAsked } from './asked.ts'
import { compilersOf } from './extension.ts'
import { installerOf } from './installers.ts'
import { memberFolders } from './members.ts'
import { PROJECT, pythonProject, tableOf, type PythonProject } from './python-project.ts'
import { inFolderOfTheirOwn, isRequirementFile } from './requirement-files.ts'
import { setupOf } from './setup-command.ts'
import { testsOf } from './command-of-tests.ts'

const MANIFESTS = [
  PROJECT,
  'requirements.txt',
  'setup.py',
  'setup.cfg',
  'Pipfile',
  'tox.ini',
  'noxfile.py',
  'manage.py',
]

export function python(folder: Folder): Reading | null {
  const manifest =
    MANIFESTS.find((name) => folder.has(name)) ??
    folder.names.find(isRequirementFile) ??
    inFolderOfTheirOwn.find((name) => folder.has(name))
  if (manifest === undefined) return null
  const project = pythonProject(folder)
  const installer = installerOf(project)
  const tests = testsOf(project)
  const linters = lintersOf(project)
  // A file that only configures tools, as in many repositories of other languages.
  if (installer === null && tests.length === 0 && !folder.has(PROJECT)) return null
  const file = installer?.file ?? manifest
  const by = installer?.by ?? 'pip'
  const own = siblingsAsked(project, by)
  const setup = installer === null && tests.length === 0 ? null : setupOf(project, by, own, tests)
  return {
    tools: [...pythonsOf(project, file), ...installersOf(project, installer), ...compilersOf(project)],
    commands: [...commandClaim(folder, 'python', 'setup', setup, place(folder, file)), ...tests, ...linters],
    members: { family: 'python', folders: memberFolders(project).map((member) => folder.at(member)) },
    beside: own.folders,
    techStack: ['Python'],
    notes: project.manifest === null ? [unreadable(folder, PROJECT, 'TOML')] : [],
  }
}

/** Every version that is asked for; the first is the likeliest to be up to date. */
function pythonsOf(project: PythonProject, file: string): ToolClaim[] {
  const { folder, placeOf, setupCfg, setupPy } = project
  const required = textOf(tableOf(project, 'project')['requires-python'])
  const poetry = textOf(tableOf(project, 'tool', 'poetry', 'dependencies')['python'])
  const inCfg = iniLines(setupCfg, 'options', 'python_requires')[0]
  const inSetup = /python_requires\s{0,5}=\s{0,5}["']([^"'\n]{1,80})["']/.exec(setupPy)?.[1]
  const pipfile = folder.text('Pipfile') ?? ''
  const wanted = textOf(fieldsOf(fieldsOf(readToml(pipfile))['requires'])['python_version'])
  const all = [
    ...(required === null ? [] : toolClaim('python', required, placeOf('project', 'requires-python'))),
    ...(poetry === null ? [] : toolClaim('python', poetry, placeOf('tool', 'poetry', 'dependencies', 'python'))),
    ...(inCfg === undefined ? [] : toolClaim('python', inCfg, place(folder, 'setup.cfg'))),
    ...(inSetup === undefined ? [] : toolClaim('python', inSetup, place(folder, 'setup.py'))),
    ...(wanted === null
      ? []
      : toolClaim('python', wanted, place(folder, 'Pipfile', tomlLine(pipfile, ['requires', 'python_version'])))),
  ]
  return all.length > 0 ? all : toolClaim('python', null, place(folder, file))
}

/** pip needs no claim: it is in every virtual environment. */
function installersOf(project: PythonProject, installer: ReturnType<typeof installerOf>): ToolClaim[] {
  if (installer === null || installer.by === 'pip') return []
  const version = installer.by === 'uv' ? textOf(tableOf(project, 'tool', 'uv')['required-version']) : null
  return [
    ...(version === null ? [] : toolClaim('uv', version, project.placeOf('tool', 'uv', 'required-version'))),
    ...toolClaim(installer.by, null, place(project.folder, installer.file)),
  ]
}

/** Only hints: `setup` does not install them, and a linter that never ran on the project always finds something. */
function lintersOf(project: PythonProject): CommandClaim[] {
  const { folder, placeOf } = project
  const known = [
    ['ruff', '.venv/bin/ruff check .'],
    ['mypy', '.venv/bin/mypy .'],
  ] as const
  const tool = tableOf(project, 'tool')
  return known.flatMap(([name, command]) => {
    const file = [`${name}.toml`, `${name}.ini`].find((own) => folder.has(own))
    if (!isObject(tool[name]) && file === undefined) return []
    const from = file === undefined ? placeOf('tool', name) : place(folder, file)
    return commandClaim(folder, 'python', 'lint', command, from, 'hint')
  })
}
