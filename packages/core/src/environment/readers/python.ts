import { commandClaim, place, toolClaim, unreadable } from '../claims.ts'
import { linesOf } from '../formats/lines.ts'
import { fieldsOf, textOf, type Fields } from '../formats/records.ts'
import { isObject } from '../../text/json-object.ts'
import { readToml, tomlLine } from '../formats/toml-text.ts'
import type { CommandClaim, Place, Reading, ToolClaim } from '../found.ts'
import type { Folder } from '../repository-files.ts'

const PROJECT = 'pyproject.toml'
const TOX = 'tox.ini'

export function python(folder: Folder): Reading | null {
  const file = ['requirements.txt', PROJECT, 'setup.py'].find((name) => folder.has(name))
  if (file === undefined) return null
  const text = folder.text(PROJECT)
  const project = text === null ? null : readToml(text)
  const placeOf = (...path: string[]): Place => place(folder, PROJECT, text === null ? null : tomlLine(text, path))
  return {
    tools: toolsOf(folder, file, project ?? {}, placeOf),
    commands: [
      ...commandClaim(folder, 'python', 'setup', setupOf(file, project), place(folder, file)),
      ...testsOf(folder, file, project ?? {}, placeOf),
      ...lintersOf(folder, project ?? {}, placeOf),
    ],
    techStack: ['Python'],
    notes: text !== null && project === null ? [unreadable(folder, PROJECT, 'TOML')] : [],
  }
}

/**
 * The virtual environment ignores itself, or its thousands of files would count as the agent's work. pytest is added to
 * it, since few projects list it as a requirement. A `pyproject.toml` that only configures tools cannot be installed.
 */
function setupOf(file: string, project: Fields | null): string {
  const configures = project !== null && !['project', 'build-system'].some((key) => key in project)
  const poetry = isObject(fieldsOf(project?.['tool'])['poetry'])
  const wanted = {
    'requirements.txt': '-r requirements.txt ',
    [PROJECT]: configures && !poetry ? '' : "-e '.[dev,test]' ",
  }[file]
  return `python3 -m venv .venv && echo '*' > .venv/.gitignore && .venv/bin/pip install ${wanted ?? '-e . '}pytest`
}

function toolsOf(folder: Folder, file: string, project: Fields, placeOf: (...path: string[]) => Place): ToolClaim[] {
  const required = textOf(fieldsOf(project['project'])['requires-python'])
  const poetry = fieldsOf(fieldsOf(project['tool'])['poetry'])
  const wanted = textOf(fieldsOf(poetry['dependencies'])['python'])
  return [
    ...(required !== null ? toolClaim('python', required, placeOf('project', 'requires-python')) : []),
    ...(wanted !== null ? toolClaim('python', wanted, placeOf('tool', 'poetry', 'dependencies', 'python')) : []),
    ...(required === null && wanted === null ? toolClaim('python', null, place(folder, file)) : []),
    ...(folder.has('poetry.lock') ? toolClaim('poetry', null, place(folder, 'poetry.lock')) : []),
    ...(folder.has('uv.lock') ? toolClaim('uv', null, place(folder, 'uv.lock')) : []),
  ]
}

/** Configured, it is said; otherwise it is what most projects use, `unittest` included, whose tests pytest runs too. */
function testsOf(folder: Folder, file: string, project: Fields, placeOf: (...path: string[]) => Place): CommandClaim[] {
  const command = '.venv/bin/python -m pytest'
  if (isObject(fieldsOf(project['tool'])['pytest']))
    return commandClaim(folder, 'python', 'test', command, placeOf('tool', 'pytest', 'ini_options'), 'said')
  const ini = ['pytest.ini', '.pytest.ini', 'conftest.py'].find((name) => folder.has(name))
  if (ini !== undefined) return commandClaim(folder, 'python', 'test', command, place(folder, ini), 'said')
  const tox = linesOf(folder.text(TOX) ?? '').findIndex((line) => /^\[(?:pytest|tool:pytest|testenv)\]/.test(line))
  if (tox !== -1) return commandClaim(folder, 'python', 'test', command, place(folder, TOX, tox + 1), 'said')
  return commandClaim(folder, 'python', 'test', command, place(folder, file))
}

/** Hints: `setup` does not install them, and a linter that was never run on the project finds something at once. */
function lintersOf(folder: Folder, project: Fields, placeOf: (...path: string[]) => Place): CommandClaim[] {
  const known = [
    ['ruff', '.venv/bin/ruff check .'],
    ['mypy', '.venv/bin/mypy .'],
  ] as const
  const tool = fieldsOf(project['tool'])
  return known.flatMap(([name, command]) => {
    const file = [`${name}.toml`, `${name}.ini`].find((own) => folder.has(own))
    if (!isObject(tool[name]) && file === undefined) return []
    const from = file === undefined ? placeOf('tool', name) : place(folder, file)
    return commandClaim(folder, 'python', 'lint', command, from, 'hint')
  })
}
