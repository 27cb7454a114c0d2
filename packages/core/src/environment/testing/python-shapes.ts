import type { Shape } from './shape.ts'

/** Python in its usual forms: each tool with a lock file, and each place where the needs of tests are written. */
const shape = (name: string, files: Record<string, string>): Shape => ({
  name,
  files: { ...files, ...(Object.keys(files).some((path) => path.includes('test_')) ? {} : { 'tests/test_x.py': '' }) },
})
const toml = (...lines: (string | readonly string[])[]): string =>
  lines
    .flat()
    .map((line) => `${line}\n`)
    .join('')
const X = ['[project]', 'name = "x"']

export const pythonShapes: readonly Shape[] = [
  shape('requirements', { 'requirements.txt': 'flask\n', 'test_app.py': '' }),
  shape('a package', {
    'pyproject.toml': toml(
      ['[build-system]', 'requires = ["hatchling"]', '', ...X, 'requires-python = ">=3.9"', ''],
      ['[tool.pytest.ini_options]', 'testpaths = ["tests"]'],
    ),
  }),
  shape('a package for a new Python', { 'pyproject.toml': toml(X, 'requires-python = ">=3.13"') }),
  shape('a package for a Python that is newer than all', {
    'pyproject.toml': toml(X, 'requires-python = ">=3.14"'),
  }),
  shape('a package without tests', { 'pyproject.toml': toml(X), 'src/x/test_data/__init__.py': '' }),
  shape('uv with a tool out of a repository of its own, which may be out of reach', {
    'pyproject.toml': toml(
      '[project]',
      'name = "x"',
      '[dependency-groups]',
      'dev = ["pytest", "strict-cover"]',
      '[tool.uv.sources]',
      'strict-cover = { git = "https://example.org/strict-cover" }',
    ),
    'uv.lock': '',
    'tests/test_x.py': '',
  }),
  shape('setup.py and tox', {
    'setup.py': 'setup(python_requires=">=3.8", tests_require=["mock"])\n',
    'tox.ini':
      '[tox]\nenvlist = py39\n[base]\ndeps =\n  pytest>=8\n  -r{toxinidir}/requirements-test.txt\n[testenv]\ndeps =\n  {[base]deps}\n  py38: old\n  git+https://example.org/x\nextras = yaml\ncommands = pytest\n',
    'requirements-test.txt': 'hypothesis\n',
  }),
  shape('setup.cfg with extras', {
    'setup.cfg':
      '[metadata]\nname = x\n[options]\npython_requires = >=3.8\n[options.extras_require]\ntesting =\n  mock\ndocs =\n  sphinx\n[tool:pytest]\naddopts = --cov=x -n auto\n',
  }),
  shape('extras and groups for tests', {
    'pyproject.toml': toml(
      [...X, '[project.optional-dependencies]', 'dev = ["ruff"]', 'test = ["mock"]', 'docs = ["sphinx"]'],
      ['[dependency-groups]', 'dev = ["pytest>=8", { include-group = "lint" }]', 'lint = ["ruff"]'],
    ),
  }),
  shape('Hatch', {
    'pyproject.toml': toml(
      ['[build-system]', 'requires = ["hatchling"]', ...X, '[project.optional-dependencies]', 'yaml = ["pyyaml"]'],
      ['[tool.hatch.envs.hatch-test]', 'extra-dependencies = ["freezegun", "x @ {root:uri}"]', 'features = ["yaml"]'],
    ),
  }),
  shape('nox', {
    'setup.py': 'setup(extras_require={"test": ["mock"]})\n',
    'noxfile.py':
      'import nox\n\n@nox.session\ndef docs(session):\n    session.install("sphinx")\n\n@nox.session\ndef tests(session):\n    session.install("-e", ".[test]", "pytest-mock", "-r", "dev-requirements.txt")\n',
    'dev-requirements.txt': '',
  }),
  shape('requirements in a folder, with hashes', {
    'requirements/base.txt': 'flask==3.0.0 --hash=sha256:00\n',
    'requirements/base.in': 'flask\n',
    'requirements/test.txt': 'pytest\n',
    'requirements/docs.txt': 'sphinx\n',
    'app.py': '',
  }),
  shape('Poetry', {
    'pyproject.toml': toml('[tool.poetry]', 'name = "x"', '[tool.poetry.dependencies]', 'python = "~3.11"'),
    'poetry.lock': '',
  }),
  shape('Poetry with groups and extras, and no lock file', {
    'pyproject.toml': toml(
      ['[tool.poetry]', 'name = "x"', '[tool.poetry.dependencies]', 'python = "^3.10"', 'own = { path = "../own" }'],
      ['[tool.poetry.group.test]', 'optional = true', '[tool.poetry.group.test.dependencies]', 'pytest = "^8"'],
      ['[tool.poetry.group.docs]', 'optional = true', '[tool.poetry.extras]', 'yaml = ["pyyaml"]'],
    ),
  }),
  shape('uv', { 'pyproject.toml': toml(X), 'uv.lock': '', '.python-version': '3.12\n' }),
  shape('a workspace of uv with groups that exclude each other', {
    'pyproject.toml': toml(
      [...X, 'dependencies = ["y"]', '[project.optional-dependencies]', 'cpu = ["torch"]', 'cu124 = ["torch"]'],
      ['[dependency-groups]', 'dev = ["pytest>=8"]', 'old = ["numpy<2"]', 'new = ["numpy>2"]'],
      ['[tool.uv]', 'conflicts = [[{ extra = "cpu" }, { extra = "cu124" }], [{ group = "old" }, { group = "new" }]]'],
      ['[tool.uv.sources]', 'y = { workspace = true }', '[tool.uv.workspace]', 'members = ["packages/*"]'],
    ),
    'uv.lock': '',
    'packages/y/pyproject.toml': toml('[project]', 'name = "y"'),
    'packages/y/tests/test_x.py': '',
    'tests/test_x.py': '',
  }),
  shape('a workspace of uv without a lock file', {
    'pyproject.toml': toml(X, 'dependencies = ["y"]', '[tool.uv.sources]', 'y = { path = "y" }'),
    'y/pyproject.toml': toml('[project]', 'name = "y"'),
  }),
  shape('PDM', { 'pyproject.toml': toml(X), 'pdm.lock': '' }),
  shape('Pipenv', {
    Pipfile: '[dev-packages]\npytest = "*"\n[requires]\npython_version = "3.11"\n',
    'Pipfile.lock': '',
  }),
  shape('Pipenv without a lock file', { Pipfile: '[packages]\nflask = "*"\n' }),
  shape('an extension in C', {
    'setup.py': 'setup(ext_modules=[Extension("x._c", ["c.c"])])\n',
    'pyproject.toml': toml('[build-system]', 'requires = ["setuptools>=61", "cython"]'),
  }),
  shape('an extension in Rust, locked by uv', {
    'pyproject.toml': toml(
      ...X,
      '[build-system]',
      'requires = ["maturin>=1.7,<2"]',
      '[dependency-groups]',
      'dev = ["pytest"]',
    ),
    'uv.lock': '',
  }),
  shape('built by Meson', { 'pyproject.toml': toml(X, '[build-system]', 'requires = ["meson-python"]') }),
  shape('what PyPI has as sources alone', { 'requirements.txt': 'django\npsycopg2==2.9.9\n' }),
  shape('Django', {
    'requirements.txt': 'django\npsycopg2-binary\n',
    'site/manage.py': '',
    'site/shop/tests.py': '',
    'site/shop/test_views.txt': '',
  }),
  shape('unittest by its own names', { 'setup.py': '', 'tests/testparser.py': '', 'test_notes.md': '' }),
  shape('tools configured, nothing packed', {
    'pyproject.toml': toml('[tool.ruff]', 'line-length = 99'),
    'pytest.ini': '',
  }),
  shape('tools configured beside another language', {
    'pyproject.toml': toml('[tool.ruff]'),
    'go.mod': 'module x\n',
    'api/requirements.txt': '',
    'api/test_x.py': '',
  }),
]
