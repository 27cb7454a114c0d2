import { describe, expect, test } from 'vitest'
import { each, file, js, renamed } from '../../testing/sample-patch.ts'
import type { ChangedFile } from '../patch.ts'
import { findTampering } from '../tamper.ts'

const flow = file(
  'e2e/login.spec.ts',
  "+test('logs in', async ({ page }) => {\n+  await expect(page).toHaveTitle('Shop')\n+})",
  'A',
)
const vitest = file(
  'vitest.config.ts',
  " export default defineConfig({\n   test: {\n     globals: true,\n+    exclude: [...configDefaults.exclude, 'e2e/**'],\n   },\n })",
)
const jest = file(
  'jest.config.js',
  " module.exports = {\n   testEnvironment: 'node',\n+  testPathIgnorePatterns: ['/node_modules/', '<rootDir>/e2e/'],\n }",
)
const pytest = (folder: string) => file('pytest.ini', ` [pytest]\n-addopts = -q\n+addopts = -q --ignore=${folder}`)

/** The findings of a change in a project with these files beside the changed ones. */
const foundIn = (files: ChangedFile[], beside: string[] = ['src/cart.ts', 'src/cart.test.ts']) =>
  findTampering({
    files,
    all: files,
    paths: [...beside, ...files.filter(({ status }) => status !== 'D').map(({ path }) => path)],
    collectedBefore: null,
    collectedAfter: null,
  })

describe('a folder that a runner leaves out', () => {
  test.each([
    ['Vitest', vitest, flow],
    ['Jest', jest, flow],
    [
      'pytest',
      pytest('e2e'),
      file('e2e/test_login.py', '+def test_login(page):\n+    assert page.title() == "Shop"', 'A'),
    ],
  ])('may be new, with the tests of another runner than %s', (_, settings, tests) => {
    expect(foundIn([settings, tests])).toEqual([])
  })

  test.each<[string, ChangedFile[], string[]]>([
    ['had a test', [vitest, flow], ['src/cart.ts', 'e2e/cart.test.ts']],
    ['had code', [vitest, flow], ['src/cart.ts', 'e2e/checks.ts']],
    ['is part of the name of a former test', [jest, flow], ['src/cart.ts', 'src/e2e/cart.test.ts']],
    ['is not there', [vitest], ['src/cart.ts', 'src/cart.test.ts']],
    [
      'gets a test that was elsewhere',
      [vitest, flow, renamed('src/cart.test.ts', 'e2e/cart.test.ts')],
      ['src/cart.ts'],
    ],
    [
      'gets the tests of another file',
      [vitest, file('src/cart.test.ts', each(js, '-')), file('e2e/cart.test.ts', each(js, '+'), 'A')],
      ['src/cart.ts'],
    ],
    [
      'is not one place',
      [file('vitest.config.ts', " export default {\n   test: {\n+    exclude: ['**/*.spec.ts'],\n   },\n }"), flow],
      ['src/cart.ts'],
    ],
    ['lost its tests', [vitest, flow, file('e2e/cart.test.ts', each(js, '-'), 'D')], ['src/cart.ts']],
  ])('may not be one that %s', (_, files, beside) => {
    expect(foundIn(files, beside)).not.toEqual([])
  })

  test('is no reason to leave out tests by name', () => {
    const options = file('package.json', '-    "test": "vitest run"\n+    "test": "vitest run --passWithNoTests e2e"')
    expect(foundIn([options, flow])).not.toEqual([])
  })
})
