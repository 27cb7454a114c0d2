import { describe, expect, test } from 'vitest'
import { filesOf } from '../../../testing/sample-repository.ts'
import { detected } from '../../commands/detected.ts'
import { look } from '../../look.ts'
import { pathBetween } from './own-packages.ts'

const named = (name: string, more = '') => `[project]\nname = "${name}"\n${more}`
const asks = (...names: string[]) => `dependencies = ${JSON.stringify(names)}\n`

/** The setup of the project that has files of tests. */
const setup = (files: Record<string, string>): string => detected(look(filesOf(files))).setup ?? ''

const B = { 'libs/b/pyproject.toml': named('own-B') }
const TESTED = { 'libs/c/tests/test_x.py': '' }

describe('a package of the repository is installed from its folder, in the command of those that ask for it:', () => {
  test.each<[string, Record<string, string>, string]>([
    ['a project', { 'libs/c/pyproject.toml': named('c', asks('own_b>=1', 'mock')) }, '-e ../b -e . pytest'],
    [
      'the extra of its tests',
      { 'libs/c/pyproject.toml': named('c', '[project.optional-dependencies]\ntest = ["Own.B[x]"]\ndocs = ["d"]\n') },
      "-e ../b -e '.[test]' pytest",
    ],
    [
      'an extra that another extra has',
      {
        'libs/c/pyproject.toml': named('c', '[project.optional-dependencies]\ntest = ["c[all]"]\nall = ["own-b"]\n'),
      },
      "-e ../b -e '.[test]' pytest",
    ],
    [
      'a group, with those that it includes',
      {
        'libs/c/pyproject.toml': named(
          'c',
          '[dependency-groups]\ntest = [{include-group = "more"}]\nmore = ["own_b", {include-group = "test"}]\n',
        ),
      },
      '-e ../b -e . --group test pytest',
    ],
    [
      'setup.cfg',
      { 'libs/c/setup.py': '', 'libs/c/setup.cfg': '[metadata]\nname = c\n[options]\ninstall_requires =\n  own-b\n' },
      '-e ../b -e .',
    ],
    [
      'setup.py',
      { 'libs/c/setup.py': 'NEEDS = ["own-b~=1.0"]\nsetup(name="c", install_requires=NEEDS)' },
      '-e ../b -e .',
    ],
    [
      'requirements alone',
      { 'libs/c/requirements.txt': 'mock\nown_b == 1  # ours\n' },
      '-e ../b -r requirements.txt pytest',
    ],
    [
      'requirements that other requirements name',
      {
        'libs/c/setup.py': '',
        'libs/c/requirements-dev.txt': '-r requirements.txt\n',
        'libs/c/requirements.txt': 'own-b\n',
      },
      '-e ../b -e . -r requirements.txt -r requirements-dev.txt',
    ],
    [
      'tox',
      { 'libs/c/setup.py': '', 'libs/c/tox.ini': '[testenv]\ndeps =\n  own-b\n  mock\n' },
      '-e ../b -e . mock pytest',
    ],
    [
      'Hatch',
      { 'libs/c/pyproject.toml': named('c'), 'libs/c/hatch.toml': '[envs.test]\ndependencies = ["own-b"]\n' },
      '-e ../b -e . pytest',
    ],
    [
      'PDM’s groups',
      { 'libs/c/pyproject.toml': named('c', '[tool.pdm.dev-dependencies]\ntest = ["own-b"]\n') },
      '-e ../b -e . pytest',
    ],
    [
      'Poetry without a lock file',
      { 'libs/c/pyproject.toml': '[tool.poetry]\nname = "c"\n[tool.poetry.dependencies]\nown-b = "^1"\n' },
      '&& pip install -e ../b -e . pytest',
    ],
    [
      'Pipenv without a lock file',
      { 'libs/c/Pipfile': '[packages]\nown-b = "*"\nmock = "*"\nx = { path = "../x" }\n' },
      '&& { pip install -e ../b mock pytest || ',
    ],
    [
      'uv without a lock file, where it has no path',
      { 'libs/c/pyproject.toml': named('c', `${asks('own-b', 'd')}[tool.uv.sources]\nd = { path = "../d" }\n`) },
      '&& uv pip install -e ../b -e . pytest',
    ],
  ])('%s', (_, files, words) => {
    const line = setup({ ...B, ...TESTED, ...files })
    expect(line).toContain(words)
    // One by one, or as of the day of the commit: no command leaves it to a registry.
    for (const command of line.match(/pip install [^|;&]*/g) ?? [])
      if (!command.includes("'pip>=")) expect(command).toContain('-e ../b')
  })

  test('by the root, and by projects in a folder of the root', () => {
    const root = { 'pyproject.toml': named('shop', asks('own-b')), 'test_x.py': '' }
    expect(setup({ ...root, ...B })).toContain('pip install -e ./libs/b -e . pytest')
    const plugin = { 'plugins/p/pyproject.toml': named('shop-p', asks('shop')), 'plugins/p/test_y.py': '' }
    const { commands } = look(filesOf({ 'pyproject.toml': named('shop'), ...plugin }))
    const line = commands.find(({ folder, purpose }) => folder === 'plugins/p' && purpose === 'setup')?.command
    expect(line).toContain('pip install -e ../.. -e . pytest')
  })

  test('with those that they ask for in turn, even in a circle', () => {
    const line = setup({
      ...TESTED,
      'libs/a/pyproject.toml': named('a', asks('b[fast]')),
      'libs/b/pyproject.toml': named('b', '[project.optional-dependencies]\nfast = ["d"]\nslow = ["e"]\n'),
      'libs/c/pyproject.toml': named('c', asks('a')),
      'libs/d/setup.py': 'setup(name="d", install_requires=["c", "a"])',
      'libs/e/pyproject.toml': named('e'),
    })
    expect(line).toContain('( cd libs/c && ')
    expect(line).toContain('pip install -e ../a -e ../b -e ../d -e . pytest')
  })

  test("even if it is not a tested project, and so is the project's own build backend", () => {
    const line = setup({
      'tests/plugin/pyproject.toml': named('own-plugin'),
      'tools/build/pyproject.toml': named('own-build'),
      'test_x.py': '',
      'pyproject.toml': `${named('c', asks('own-plugin'))}[build-system]\nrequires = ["hatchling", "own-build"]\n`,
    })
    expect(line).toContain(
      'pip install -e ./tools/build hatchling setuptools wheel && pip install --no-build-isolation -e ./tests/plugin -e ./tools/build -e . pytest',
    )
  })
})

describe('nothing is installed beside a project', () => {
  test.each<[string, Record<string, string>]>([
    ['that asks for others', { 'libs/c/pyproject.toml': named('c', asks('other', 'own-bb')) }],
    ['that has an address for it', { 'libs/c/pyproject.toml': named('c', asks('own-b @ https://example.org/b.whl')) }],
    ['that is called like it', { 'libs/c/pyproject.toml': named('own-b') }],
    [
      'which only an extra that nobody installs asks for',
      {
        'libs/c/pyproject.toml': named('c', '[project.optional-dependencies]\ndocs = ["own-b"]\n'),
      },
    ],
  ])('%s', (_, files) => {
    expect(setup({ ...TESTED, ...files, ...B })).not.toContain('../b')
  })

  test('for the name of a package that belongs to others', () => {
    const root = { 'pyproject.toml': named('shop', asks('own-b')), 'test_x.py': '' }
    expect(setup({ ...root, 'third_party/b/setup.py': 'setup(name="own-b")' })).toContain('pip install -e . pytest')
  })

  test('if a lock file says what it is, or uv finds it by its path', () => {
    const text = named('c', `${asks('own-b')}[tool.uv.sources]\nown-b = { path = "../b" }\n`)
    expect(setup({ ...B, ...TESTED, 'libs/c/pyproject.toml': text })).toContain('uv sync')
    const locked = { 'libs/c/pyproject.toml': named('c', asks('own-b')), 'libs/c/uv.lock': '' }
    expect(setup({ ...B, ...TESTED, ...locked })).toContain('uv sync --locked')
  })
})

test('a project that is installed with another one is tested after a change of either', () => {
  const files = { ...B, ...TESTED, 'libs/c/pyproject.toml': named('c', asks('own-b')) }
  const { nested } = detected(look(filesOf(files)))
  expect(nested.find(({ folder }) => folder === 'libs/c')?.paths).toBeNull()
  expect(nested.find(({ folder }) => folder === 'libs/b')?.paths ?? ['libs/b']).toEqual(['libs/b'])
})

test('a repository of packages that all ask for each other is read in a bounded number of steps', () => {
  const names = Array.from({ length: 150 }, (_, n) => `p${n}`)
  const all = asks(...names, ...names.map((name) => `${name}[x]`))
  const files = Object.fromEntries(names.map((name) => [`libs/${name}/pyproject.toml`, named(name, all)]))
  const found = look(filesOf({ ...files, 'libs/p0/test_x.py': '' }))
  // Forty of them would not fit into a command line: nothing is installed, rather than the rest from a registry.
  expect(found.commands.filter(({ purpose, folder }) => purpose === 'setup' && folder === 'libs/p0')).toEqual([])
})

test.each([
  ['', 'libs/b', './libs/b'],
  ['libs/c', 'libs/b', '../b'],
  ['plugins/p', '', '../..'],
  ['a', 'a/b', './b'],
])('from "%s" to "%s" is %s', (from, to, path) => {
  expect(pathBetween(from, to)).toBe(path)
})
