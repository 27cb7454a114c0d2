import { expect, test } from 'vitest'
import { filesOf } from '../../../testing/sample-repository.ts'
import { detected } from '../../commands/detected.ts'
import { look } from '../../look.ts'

test('the tests of a Django site run by its own command, in the folder of manage.py', () => {
  const files = { 'requirements.txt': 'django', 'site/manage.py': '', 'site/cart/tests.py': '' }
  expect(detected(look(filesOf(files))).test).toBe(
    '. .venv/bin/activate && cd site && python manage.py test -v 2 --noinput',
  )
})

test("they are pytest's if something names it, whatever their files are called", () => {
  const of = (text: string): string | null =>
    detected(look(filesOf({ 'requirements.txt': text, 'site/manage.py': '', 'site/cart/test_cart.py': '' }))).test
  expect(of('django')).toMatch(/manage\.py test/)
  expect(of('django\npytest-django')).toMatch(/python -m pytest/)
})

const package_ = { 'setup.py': 'install_requires=["Django"]', 'tests/test_bar.py': '', 'example/manage.py': '' }
const tox = (command: string): string =>
  `[testenv]\nsetenv =\n  PYTHONPATH = {toxinidir}\n  DJANGO_SETTINGS_MODULE = tests.settings\ncommands =\n  ${command}\n`
test.each<[string, Record<string, string>, string]>([
  [
    'as tox does it, and not by the site that shows it',
    { 'tox.ini': tox('python -b -W always -m coverage run \\\n  -m django test -v2 --parallel {posargs:tests}') },
    'DJANGO_SETTINGS_MODULE=tests.settings python -m django test -v 2 --noinput tests',
  ],
  [
    'with the settings that tox names',
    { 'tox.ini': '[testenv]\ncommands = django-admin test -v 2 --settings own.settings own\n' },
    'python -m django test -v 2 --noinput --settings=own.settings own',
  ],
  [
    'without what nobody wrote to be a word',
    { 'tox.ini': tox('python -m django test $(id); id'), 'tests/settings.py': '' },
    'DJANGO_SETTINGS_MODULE=tests.settings python -m django test -v 2 --noinput tests',
  ],
  [
    'by a program of its own',
    { 'tox.ini': '[testenv]\ncommands = coverage run -a runtests.py {posargs}\n', 'runtests.py': '' },
    'python runtests.py',
  ],
  [
    'with the settings that are there for them',
    { 'tests/settings.py': '' },
    'DJANGO_SETTINGS_MODULE=tests.settings python -m django test -v 2 --noinput tests',
  ],
  ['by the site that shows it where there is nothing else', {}, 'cd example && python manage.py test -v 2 --noinput'],
])('the tests of a Django package run %s', (_, files, command) => {
  expect(detected(look(filesOf({ ...package_, ...files }))).test).toBe(`. .venv/bin/activate && ${command}`)
})
