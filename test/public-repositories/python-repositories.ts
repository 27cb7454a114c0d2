import { inLanguage, type PublicRepository } from './public-repository.ts'

const python = inLanguage('python')

/** Works with an environment from `uv sync`, Poetry, PDM or pip, in any folder. */
const pytest = (args = '') => `PATH="$PWD/.venv/bin:$PATH" python -m pytest -q -x ${args}`.trim()

export const pythonRepositories: readonly PublicRepository[] = [
  python(
    'pallets/flask@2ac89889f4cc330eabd50f295dcef02828522c69',
    'uv, dependency groups, src layout, a devcontainer',
    ['src/flask'],
    pytest(),
  ),
  python(
    'python-attrs/attrs@c1dc5dcba16ed827aa6dcad896b41a3afedb4e32',
    'uv, tox, src layout, version from tags',
    ['src/attr'],
    pytest('-p no:cacheprovider'),
  ),
  python(
    'pytest-dev/pluggy@e382e72789f8d791991c489d4322aa04e660b952',
    'uv, tox, src layout, version from tags',
    ['src/pluggy'],
    pytest(),
  ),
  python(
    'modelcontextprotocol/python-sdk@57394b0548d1e2dc2dce8d67d84985769df3b8bb',
    'uv workspace',
    ['src/mcp'],
    // Its lock file names a repository on GitHub.
    pytest('-n 2 tests'),
    'github.com',
  ),
  python('python-poetry/cleo@8c3f1bbf82d918fc137ad40db65c446e14564aac', 'Poetry, src layout', ['src/cleo'], pytest()),
  python(
    'python-poetry/tomlkit@d8ed1e3cdb024dfc2c6f12b45a0dfd4d4d91f727',
    'Poetry, a submodule',
    ['tomlkit'],
    pytest('--ignore tests/test_toml_tests.py'),
  ),
  python('frostming/marko@0fa0b29b670feca15558652f327bc20c3baee91b', 'PDM', ['marko'], pytest()),
  python(
    'mkdocs/mkdocs@2862536793b3c67d9d83c33e0dd6d50a791928f8',
    'Hatch, unittest',
    ['mkdocs/structure', 'mkdocs/config', 'mkdocs/utils'],
    `PATH="$PWD/.venv/bin:$PATH" python -m unittest discover -f -s mkdocs -p "*tests.py"`,
  ),
  python(
    'asottile/pyupgrade@1915f5dfa65063de58d3df821312e9a582ef5cea',
    'setup.cfg, tox, requirements-dev.txt',
    ['pyupgrade'],
    pytest(),
  ),
  python(
    'mahmoud/boltons@967864f89791509f9eb36b22b4579d36b72a6df2',
    'pip, a dependency group, tox',
    ['boltons'],
    pytest('tests'),
  ),
  python('encode/starlette@cb8f84f5284dc301ca7a31eb732b9e140769dd48', 'pip, requirements.txt', ['starlette'], pytest()),
  python(
    'fastapi/full-stack-fastapi-template@68adb40d37425f6f8668ec7e5a054500d045e43e',
    'compose with PostgreSQL, uv workspace, Bun',
    ['backend/app'],
    // Neither Debian nor any registry has Python 3.14, and PostgreSQL comes as an image.
    'cd backend && PATH="$PWD/../.venv/bin:$PATH" python -m pytest -q -x',
    'docker.io',
  ),
  python(
    'tox-dev/filelock@61511ebc1cc5d40b28f8584f1078e63f2d63fb02',
    'Hatchling, dependency groups, tox',
    ['src/filelock'],
    pytest(),
  ),
  python(
    'encode/django-rest-framework@751a19fe1b237beca9af7d587fce55d3e09d3741',
    'Django, dependency groups of which tox has one for each of its variants',
    ['rest_framework'],
    pytest(),
  ),
  python(
    'pytest-dev/pytest-django@67f97981cd444cabbbe4562ff172c466d85b4d1b',
    'a plugin of pytest, dependency groups, tox',
    ['pytest_django'],
    pytest(),
  ),
  python(
    'cookiecutter/cookiecutter@c88fbe921c97c58b65f1883ba90a0ab53cc91b34',
    'uv, a Makefile and a justfile beside it',
    ['cookiecutter'],
    pytest(),
  ),
  python(
    'pydantic/pydantic-settings@d26fc0c3944fe68cf169f86386988bb83e3df2d8',
    'uv, groups for tests and linting, a Makefile',
    ['pydantic_settings'],
    pytest(),
  ),
  python(
    'python-humanize/humanize@c3a124cdeb272d7f63bc0aa66f79c6fbafd2fc6d',
    'Hatchling, tox, translations that a script makes',
    ['src/humanize'],
    pytest('--ignore tests/test_i18n.py'),
  ),
  python(
    'jpadilla/pyjwt@dcc27a9d3182a2349c30b160758785c6ce7a6508',
    'tox, an extra for one of its variants',
    ['jwt'],
    pytest(),
  ),
  python(
    'jazzband/django-debug-toolbar@a21604a23c5dd649b94cfee09a2596744e1c1f04',
    "Django's tests by tox, a project of its own in example/",
    ['debug_toolbar'],
    'PATH="$PWD/.venv/bin:$PATH" DJANGO_SETTINGS_MODULE=tests.settings python -m django test tests',
  ),
]
