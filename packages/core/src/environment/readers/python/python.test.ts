import { describe, expect, test } from 'vitest'
import { filesOf } from '../../../testing/sample-repository.ts'
import { detected, type Detected } from '../../commands/detected.ts'
import { look } from '../../look.ts'
import { chooseToolchains } from '../../toolchains/choose-toolchains.ts'

const of = (files: Record<string, string>): Detected => detected(look(filesOf({ 'tests/test_x.py': '', ...files })))
const installs = (files: Record<string, string>) =>
  chooseToolchains(of(files).tools).installs.map(({ by, what }) => `${by} ${what}`)
const project = '[project]\nname = "shop"\n'

describe('the lock file’s own tool installs its packages:', () => {
  test.each<[string, Record<string, string>, RegExp, string]>([
    ['uv', { 'pyproject.toml': project, 'uv.lock': '' }, /uv sync --locked --python python3/, 'pypi uv'],
    [
      'Poetry',
      { 'pyproject.toml': '[tool.poetry]\n', 'poetry.lock': '' },
      /poetry install --no-interaction/,
      'pypi poetry',
    ],
    ['PDM', { 'pyproject.toml': project, 'pdm.lock': '' }, /pdm sync --group :all/, 'pypi pdm'],
    ['Pipenv', { Pipfile: '[packages]\n', 'Pipfile.lock': '{}' }, /pipenv sync --dev/, 'pypi pipenv'],
  ])('%s, which is in the image', (_, files, command, install) => {
    expect(of(files).setup).toMatch(command)
    expect(installs(files)).toContain(install)
  })

  test('with all groups and extras, except those that exclude each other', () => {
    const more = `[project.optional-dependencies]\ncpu = []\ngpu = []\n[dependency-groups]\ndev = []\nold = []\nnew = []
[tool.uv]\nconflicts = [[{extra = "cpu"}, {extra = "gpu"}], [{group = "new"}, {group = "dev"}]]\n`
    expect(of({ 'pyproject.toml': project + more, 'uv.lock': '' }).setup).toContain(
      '--all-groups --no-group new --all-extras --no-extra gpu || uv sync --frozen --python python3 --group dev',
    )
  })

  test.each([
    ['-n auto', ' --verbosity=1'],
    ['--strict-markers -n4', ' --verbosity=1'],
    ['-ra -q', ' --verbosity=1'],
    ['-qq', ' --verbosity=1'],
    ['-ra --no-header', ''],
    ['--import-mode=importlib', ''],
  ])('with the names of tests if pytest would print none (%s)', (options, more) => {
    const files = { 'pyproject.toml': project, 'pytest.ini': `[pytest]\naddopts = ${options}\n`, 'tests/test_x.py': '' }
    expect(of(files).test).toBe(`. .venv/bin/activate && python -m pytest --continue-on-collection-errors${more}`)
  })

  test('if uv cannot read what Poetry installs, a lock file of uv is ignored', () => {
    const poetry = '[tool.poetry]\nname = "shop"\n[tool.poetry.group.dev.dependencies]\npytest = "8"\n'
    const both = { 'uv.lock': 'version = 1\n', 'poetry.lock': '' }
    expect(of({ 'pyproject.toml': poetry, ...both }).setup).toContain('poetry install')
    expect(of({ 'pyproject.toml': poetry, 'uv.lock': 'version = 1\n' }).setup).toContain('poetry install')
    expect(of({ 'pyproject.toml': project + poetry, ...both }).setup).toContain('poetry install')
    const groups = `${project}${poetry}[dependency-groups]\ndev = ["pytest"]\n`
    expect(of({ 'pyproject.toml': groups, ...both }).setup).toContain('uv sync --locked')
  })

  test('in a folder of its own as in the root', () => {
    const files = { 'web/package.json': '{}', 'api/pyproject.toml': project, 'api/uv.lock': '', 'api/test_x.py': '' }
    const { setup, test: tested } = detected(look(filesOf(files)))
    expect(setup).toMatch(/^\( cd api && python3 -m venv \.venv && .*uv sync --locked/)
    expect(tested).toBe('( cd api && . .venv/bin/activate && python -m pytest --continue-on-collection-errors )')
  })
})

describe('a name of the repository’s own is requested from no registry:', () => {
  const member = '[project]\nname = "tomli"\n'
  test.each([
    ['[tool.uv.sources]\ntomli = { workspace = true }\n[tool.uv.workspace]\nmembers = ["packages/*"]\n', 'uv sync'],
    ['[tool.uv.sources]\ntomli = { path = "packages/tomli" }\n', 'uv sync'],
    ['[tool.poetry]\n[tool.poetry.dependencies]\ntomli = { path = "packages/tomli" }\n', 'poetry install'],
  ])('%j', (text, command) => {
    const files = {
      'pyproject.toml': project + text,
      'packages/tomli/pyproject.toml': member,
      'packages/tomli/tests/test_y.py': '',
    }
    const found = look(filesOf({ ...files, 'tests/test_x.py': '' }))
    expect(detected(found).setup).toContain(command)
    // pip would take a stranger's package of that name, so no command sets up the member on its own.
    expect(found.commands.filter(({ folder }) => folder === 'packages/tomli')).toEqual([])
  })

  test('the project itself among the requirements of its tests', () => {
    const files = { 'pyproject.toml': project, 'tox.ini': '[testenv]\ndeps =\n  Shop\n  mock\n' }
    expect(of(files).setup).toContain('pip install -e . mock pytest')
  })
})

describe('dependencies of tests are found where projects write them:', () => {
  test.each<[string, Record<string, string>, string]>([
    [
      'groups',
      { 'pyproject.toml': `${project}[dependency-groups]\ntest = ["mock"]\ndocs = []\n` },
      '-e . --group test pytest',
    ],
    [
      'extras that there are',
      { 'pyproject.toml': `${project}[project.optional-dependencies]\ntest = []\n` },
      "-e '.[test]' pytest",
    ],
    [
      'no extras that there are not',
      { 'pyproject.toml': project, 'tox.ini': '[testenv]\nextras = test\n' },
      'pip install -e . pytest',
    ],
    [
      'a file of requirements',
      { 'requirements.txt': '', 'test-requirements.txt': '' },
      '-r requirements.txt -r test-requirements.txt',
    ],
    ['a folder of them', { 'setup.py': '', 'requirements/dev.txt': '' }, '-e . -r requirements/dev.txt'],
    ['one beside the tests', { 'setup.py': '', 'tests/requirements.txt': '' }, '-e . -r tests/requirements.txt'],
    [
      'tox',
      { 'setup.py': '', 'tox.ini': '[testenv]\ndeps = mock; python_version < "4"\n' },
      `'mock; python_version < "4"'`,
    ],
    [
      'tox, with a comment',
      { 'setup.py': '', 'tox.ini': '[testenv]\ndeps =\n  sybil >= 1.3  # a bug\n' },
      `'sybil >= 1.3'`,
    ],
    [
      'tox in pyproject.toml',
      { 'pyproject.toml': `${project}[tool.tox.env_run_base]\ndeps = ["mock"]\n` },
      '-e . mock',
    ],
    [
      'nox',
      { 'setup.py': '', 'noxfile.py': 'def tests(session):\n  session.install("mock", "-e", ".")\n' },
      '-e . mock',
    ],
    [
      'nox, whose groups are no projects of a registry',
      {
        'pyproject.toml': `${project}[dependency-groups]\ntest = []\n`,
        'noxfile.py': 'def tests(session):\n  session.install("-e.", "--group", "test")\n',
      },
      'pip install -e . --group test pytest ||',
    ],
    [
      'nox, whose groups may be named in a call',
      {
        'pyproject.toml': `${project}[dependency-groups]\ntest = []\n`,
        'noxfile.py': 'def tests(session):\n  session.install(*nox.project.dependency_groups(PYPROJECT, "test"))\n',
      },
      'pip install -e . --group test pytest ||',
    ],
    [
      'tox, without what is for one variant',
      {
        'pyproject.toml': `${project}[dependency-groups]\ntest = []\none = []\ntwo = []\n`,
        'tox.ini': '[testenv]\ndependency_groups =\n  test\n  web1: one\n  web2: two\n',
      },
      'pip install -e . --group test pytest ||',
    ],
    [
      'tox, which tries a package in several versions',
      {
        'setup.py': '',
        'tox.ini':
          '[testenv]\ndeps =\n  mock\n  web52: Web~=5.2\n  web60: Web>=6,<7\n  webmain: https://example.org/x\n  web1: Web @ https://example.org/x\n  py39: old>=1\n  lint: flake8\n',
      },
      'pip install -e . mock Web pytest ||',
    ],
    [
      'tox, with what is for every version of Python, and the extra that a variant is called after',
      {
        'pyproject.toml': `${project}[project.optional-dependencies]\ncrypto = []\nold = []\n`,
        'requirements/ci.txt': '',
        'tox.ini':
          '[testenv]\nextras =\n  crypto: crypto\n  py39: old\ndeps =\n  lint,pypy3.11,3.12,3.13: -r{toxinidir}/requirements/ci.txt\n  py39,lint: old\n',
      },
      "pip install -e '.[crypto]' -r requirements/ci.txt pytest ||",
    ],
    ['Hatch', { 'pyproject.toml': project, 'hatch.toml': '[envs.test]\ndependencies = ["mock"]\n' }, '-e . mock'],
    ['setup.cfg', { 'setup.cfg': '[metadata]\n[options.extras_require]\ntesting =\n  mock\n' }, "-e '.[testing]'"],
    [
      'plugins of pytest',
      { 'setup.cfg': '[metadata]\n[tool:pytest]\naddopts = -n 2 --cov=x\n' },
      'pytest-cov pytest-xdist',
    ],
  ])('%s', (_, files, words) => {
    expect(of(files).setup).toContain(words)
  })

  test('tox in a file of its own', () => {
    const files = { 'setup.py': '', 'tox.toml': '[env_run_base]\ndeps = ["mock"]\n' }
    expect(of(files).setup).toContain('-e . mock')
  })

  test('Poetry’s groups, if Poetry cannot have them, without entries with a path', () => {
    const group = '[tool.poetry.group.dev.dependencies]\nmock = "^5"\nown = { path = "../own" }\npytest = "^8"\n'
    expect(of({ 'pyproject.toml': `[tool.poetry]\n${group}` }).setup).toContain('|| pip install -e . mock pytest;')
  })

  test('one by one if they cannot be installed together, and the project comes last', () => {
    const text = `${project}[project.optional-dependencies]\ntest = []\n[dependency-groups]\ndev = []\n`
    expect(of({ 'pyproject.toml': text, 'requirements-dev.txt': '' }).setup).toContain(
      "|| { pip install -e '.[test]' || true; pip install --group dev || true; pip install -r requirements-dev.txt || true; pip install -e . pytest; }; }",
    )
  })

  test('together if a command line takes no more', () => {
    const deps = (count: number) => Array.from({ length: count }, (_, n) => `  requirement-number-${n}\n`).join('')
    const setup = (count: number) => of({ 'setup.py': '', 'tox.ini': `[testenv]\ndeps =\n${deps(count)}` }).setup ?? ''
    expect(setup(10)).toContain('requirement-number-9 || true')
    expect(setup(20)).not.toContain('|| true; pip')
    expect(setup(20)).toContain('requirement-number-19 pytest ||')
    expect(setup(50)).toContain('requirement-number-49 pytest ||')
  })

  test('and whatever is written there, only words of requirements reach the command', () => {
    const deps = [
      '$(id)',
      'x; id',
      'git+https://example.org/x',
      '-i https://example.org',
      '--index-url=x',
      '-r ../../x',
      '"`id`"',
      'mock',
    ]
    const tox = `[testenv]\ndeps =\n${deps.map((one) => `  ${one}\n`).join('')}extras = x y\n`
    expect(of({ 'setup.py': '', 'tox.ini': tox }).setup).toContain('pip install -e . mock pytest ||')
  })
})

describe('tests', () => {
  test('are missing if no file is one', () => {
    expect(detected(look(filesOf({ 'pyproject.toml': project, 'src/shop/test_data.json': '' }))).test).toBeNull()
  })

  test.each([
    [`test = 'python -m unittest discover -p "*tests.py"'`, 'python -m unittest discover -p "*tests.py"'],
    [
      'test = ["coverage run -m pytest {args:own}", "coverage report"]',
      'coverage run -m pytest own && coverage report',
    ],
  ])('of a Hatch environment are run by its script: %s', (script, command) => {
    const text = `${project}[tool.hatch.envs.test.scripts]\n${script}\n`
    const files = { 'pyproject.toml': text, 'own/tests/some_tests.py': '' }
    expect(detected(look(filesOf(files))).test).toBe(`. .venv/bin/activate && ${command}`)
  })

  test('of a Hatch environment exclude scripts that call Hatch again, and others', () => {
    const text = `${project}[tool.hatch.envs.default.scripts]\nall = ["hatch run test:test"]\ntest = "lint && pytest {root}"\n`
    expect(detected(look(filesOf({ 'pyproject.toml': text, 'own/tests/some_tests.py': '' }))).test).toBeNull()
  })

  test('of a member of a workspace are run with it, beside a script of the root', () => {
    const files = {
      'package.json': '{ "scripts": { "test": "vitest run" } }',
      'a.test.js': '',
      'pyproject.toml': '[tool.uv.workspace]\nmembers = ["backend"]\n',
      'uv.lock': '',
      'backend/pyproject.toml': project,
      'backend/tests/test_x.py': '',
    }
    expect(detected(look(filesOf(files))).test).toContain('pytest')
  })

  test('of unittest may have names that pytest does not look for', () => {
    expect(detected(look(filesOf({ 'setup.py': '', 'tests/testparser.py': '' }))).test).toContain(
      "-o 'python_files=test*.py *_test.py'",
    )
  })

  test('of a folder that is a project of its own are not the root’s', () => {
    const files = { 'pyproject.toml': '[tool.ruff]\n', 'api/requirements.txt': '', 'api/test_x.py': '' }
    expect(detected(look(filesOf(files))).test).toContain('( cd api && ')
  })
})

describe('compiled code', () => {
  const extension = 'setup(ext_modules=[Extension("x", ["x.c"])])'

  test('brings the compiler and Python’s headers, and is compiled again before the tests', () => {
    const files = { 'setup.py': extension }
    expect(installs(files)).toEqual(expect.arrayContaining(['debian gcc', 'debian python3-dev']))
    expect(of(files).test).toContain('pip install --quiet --no-index --no-build-isolation --no-deps -e . && ')
  })

  test.each([
    ['[build-system]\nrequires = ["maturin"]\n', 'debian rustc-web'],
    ['[build-system]\nrequires = ["meson-python>=0.15"]\n', 'debian gcc'],
    ['[build-system]\nrequires = ["setuptools", "Cython"]\n', 'debian gcc'],
  ])('%j', (text, install) => {
    expect(installs({ 'pyproject.toml': project + text })).toContain(install)
  })

  test('may be a requirement that has no wheels', () => {
    expect(installs({ 'requirements.txt': 'psycopg2==2.9\n' })).toContain('debian libpq-dev')
    expect(installs({ 'requirements.txt': 'psycopg2-binary==2.9\n' })).toEqual([])
  })
})

describe('variables that tox and Hatch set for the tests are set:', () => {
  test.each<[string, Record<string, string>]>([
    ['tox', { 'tox.ini': '[testenv]\nsetenv =\n  SLOW_TESTS = 1\n  COVERAGE_FILE = x\n  A = {toxinidir}/a b\n' }],
    ['tox, in TOML', { 'tox.toml': '[env_run_base]\nset_env = { SLOW_TESTS = "1", FORCE_COLOR = "1" }\n' }],
    ['Hatch', { 'hatch.toml': '[envs.test.env-vars]\nSLOW_TESTS = "1"\nPYTEST_ADDOPTS = "-q"\n' }],
  ])('%s', (_, files) => {
    expect(of({ 'pyproject.toml': project, ...files }).test).toBe(
      '. .venv/bin/activate && SLOW_TESTS=1 python -m pytest --continue-on-collection-errors',
    )
  })
})
