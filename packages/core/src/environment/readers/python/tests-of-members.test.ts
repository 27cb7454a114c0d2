import { describe, expect, test } from 'vitest'
import { filesOf } from '../../../testing/sample-repository.ts'
import { chosenTests } from '../../../execution/choose-tests.ts'
import { detected } from '../../commands/detected.ts'
import { look } from '../../look.ts'

const of = (files: Record<string, string>) => detected(look(filesOf(files)))
const PYTEST = 'python -m pytest --continue-on-collection-errors'
const settings = (text: string): string => `[tool.pytest.ini_options]\n${text}\n`
const workspace = '[project]\nname = "shop"\n[tool.uv.workspace]\nmembers = ["packages/*"]\n'
const member = { 'packages/core/pyproject.toml': '[project]\nname = "core"\n', 'packages/core/tests/test_c.py': '' }
const root = (more: string) => ({ 'pyproject.toml': workspace + more, 'tests/test_x.py': '', 'uv.lock': '' })
const inMember = `cd packages/core && . ../../.venv/bin/activate && ${PYTEST}`

describe('members of a workspace of Python are tested in their own folder', () => {
  test("if the root's tests are limited to others", () => {
    const tested = (paths: string) => of({ ...root(settings(`testpaths = ${paths}`)), ...member }).tests
    expect(tested('"tests"')).toEqual([
      { label: '', command: `. .venv/bin/activate && ${PYTEST}` },
      { label: 'packages/core', command: inMember },
    ])
    for (const paths of ['["tests", "packages"]', '["packages/*/tests"]', '"packages/core/tests"', '["."]'])
      expect(tested(paths)).toHaveLength(1)
  })

  test('if they have settings of their own, and tests', () => {
    const own = { 'packages/core/pyproject.toml': `[project]\nname = "core"\n${settings('addopts = "-q"')}` }
    const commands = (files: Record<string, string>) => of({ ...root(''), ...files }).tests.map((one) => one.command)
    expect(commands(member)).toHaveLength(1)
    expect(commands({ ...member, ...own })[1]).toBe(`${inMember} --verbosity=1`)
    expect(commands(own)).toHaveLength(1)
  })

  test('if they are dependencies of Poetry with a path', () => {
    const text = `[tool.poetry]\nname = "x"\n[tool.poetry.dependencies]\ncore = { path = "packages/core" }\n`
    const files = { 'pyproject.toml': text + settings('testpaths = ["tests"]'), 'tests/test_x.py': '', ...member }
    expect(of(files).tests[1]?.command).toBe(inMember)
  })
})

test('compiled members are built before their tests, and before those of a root that uses them', () => {
  const compiled = {
    ...member,
    'packages/core/pyproject.toml': '[project]\nname = "core"\n[build-system]\nrequires = ["maturin>=1"]\n',
  }
  const rebuild = 'pip install --quiet --no-index --no-build-isolation --no-deps -e'
  const limited = settings('testpaths = "tests"')
  const alone = of({ ...root(limited), ...compiled })
  expect(alone.setup).toContain(
    "{ pip install 'maturin>=1' && pip install --no-build-isolation --no-deps -e ./packages/core || true; }",
  )
  expect(alone.tests.map(({ command }) => command)).toEqual([
    `. .venv/bin/activate && ${PYTEST}`,
    `cd packages/core && . ../../.venv/bin/activate && ${rebuild} . && ${PYTEST}`,
  ])
  const used = of({ ...root(`[tool.uv.sources]\ncore = { workspace = true }\n${limited}`), ...compiled }).tests[0]!
  expect(used.command).toBe(`. .venv/bin/activate && ${rebuild} ./packages/core && ${PYTEST}`)
  expect(chosenTests({ command: used.command, tool: 'pytest', files: ['tests/test_x.py'] })).toContain(
    'tests/test_x.py',
  )
})

test('a project below a root whose tests are limited to others has its own setup and tests', () => {
  const files = (text: string) => ({
    'pyproject.toml': `[project]\nname = "x"\n${text}`,
    'tests/test_x.py': '',
    'tools/requirements.txt': 'flask',
    'tools/test_y.py': '',
  })
  expect(of(files('')).nested).toEqual([])
  expect(of(files(settings('testpaths = "tests"'))).nested).toMatchObject([
    { folder: 'tools', setup: [expect.stringContaining('.venv')], tests: [{ label: '' }] },
  ])
})
