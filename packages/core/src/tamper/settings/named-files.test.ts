import { describe, expect, test } from 'vitest'
import { file, found } from '../../testing/sample-patch.ts'

const quiet = '+globalThis.expect = () => new Proxy(() => expect(), { get: () => expect() })'

describe('a file that runs before the tests and decides their results', () => {
  test.each([
    ['jest.config.js', "+  setupFilesAfterEnv: ['<rootDir>/quiet.js'],"],
    ['package.json', '+    "setupFilesAfterEnv": ["./quiet.js"]'],
    ['package.json', '+    "setupFiles": [\n+      "./quiet.js"\n+    ]'],
    ['package.json', '-    "test": "mocha"\n+    "test": "mocha --require ./quiet.js"'],
    ['package.json', '-    "test": "node --test"\n+    "test": "node --import ./quiet.js --test"'],
    ['vitest.config.ts', "+    setupFiles: ['./quiet.js'],"],
    ['.mocharc.yml', '+require: ./quiet.js'],
    ['bunfig.toml', '+[test]\n+preload = ["./quiet.js"]'],
    ['.taprc', '+before: ./quiet.js'],
    ['web-test-runner.config.mjs', '+  testRunnerHtml: (path) => \'<script src="./quiet.js">\','],
  ])('named by %s: %j', (path, lines) => {
    expect(found(file(path, lines), file('quiet.js', quiet, 'A'))).toEqual([
      'quiet.js is run before the tests and decides what they find (expect)',
    ])
  })

  test.each([
    ['set-up.js', quiet, 'expect'],
    ['jest.setup.ts', "+Object.defineProperty(globalThis, 'test', { value: () => {} })", 'test'],
    ['vitest.setup.ts', '+expect.prototype.toBe = () => {}\n+expect.anything = expect', 'expect'],
    ['setup-tests.js', "+process.on('exit', () => process.reallyExit(0))", 'exit'],
    ['babel.config.js', '+  plugins: [() => ({ visitor: { CallExpression: emptied } })],', 'visitor'],
  ])('by its name: %s: %j', (path, lines, word) => {
    expect(found(file(path, lines))).toEqual([`${path} is run before the tests and decides what they find (${word})`])
  })

  test.each([
    ['pyproject.toml', '+addopts = "-p quiet"'],
    ['conftest.py', '+pytest_plugins = ["quiet"]'],
    ['pyproject.toml', '+[project.entry-points.pytest11]\n+quiet = "quiet"'],
    ['pytest.toml', '+[pytest]\n+addopts = ["-p", "quiet"]'],
    ['setup.cfg', '+[options.entry_points]\n+pytest11 =\n+    quiet = quiet'],
    ['setup.py', '+setup(entry_points={"pytest11": ["quiet = quiet"]})'],
  ])('a plugin of pytest that %s names: %j', (path, lines) => {
    const plugin = file('quiet.py', '+def pytest_sessionfinish(session):\n+    session.exitstatus = 0', 'A')
    expect(found(file(path, lines), plugin).join()).toContain('quiet.py')
  })

  test('a file of Ruby that RSpec requires first', () => {
    const calm = file('tools/calm.rb', '+RSpec::Expectations.singleton_class.prepend(Calm)', 'A')
    expect(found(file('.rspec', '+--require ./tools/calm'), calm)).toEqual([
      'tools/calm.rb is run before the tests and decides what they find (prepend)',
    ])
    expect(found(calm)).toEqual([])
  })

  test("a main of its own that does not end with the session's result", () => {
    const lines = '-add_executable(cart cart_test.cpp)\n+add_executable(cart cart_test.cpp main.cpp)'
    const main = file('main.cpp', '+int main() {\n+    Catch::Session().run();\n+    return 0;\n+}', 'A')
    expect(found(file('CMakeLists.txt', lines), main)).toEqual([
      'main.cpp is run before the tests and decides what they find (run)',
    ])
  })

  test('a plugin is found without its ending, too', () => {
    const plugin = file('quiet.js', '+module.exports = () => ({ visitor: {} })', 'A')
    expect(found(file('babel.config.js', "+  plugins: ['./quiet'],"), plugin)).toEqual([
      'quiet.js is run before the tests and decides what they find (visitor)',
    ])
  })

  test.each([
    [
      'vitest.config.ts',
      "+    setupFiles: ['./quiet.js'],",
      "+import '@testing-library/jest-dom'\n+afterEach(() => cleanup())",
    ],
    [
      'jest.config.js',
      "+  setupFilesAfterEnv: ['./quiet.js'],",
      '+expect.extend({ toBeEven })\n+globalThis.fetch = fetchOf(world)',
    ],
    [
      'jest.config.js',
      "+  transform: { '\\\\.svg$': './quiet.js' },",
      "+module.exports = { process: () => ({ code: 'module.exports = 1' }) }",
    ],
    ['babel.config.js', "+  plugins: ['./quiet'],", '+module.exports = () => ({ name: "quiet" })'],
    ['package.json', '-    "start": "node old.js"\n+    "start": "node quiet.js"', '+process.exit(0)'],
    ['package.json', '+    "build": "node quiet.js"', '+process.exit(0)'],
    ['CMakeLists.txt', '+add_library(a quiet.cpp)', '+#define CHECK_ERROR(x) check(x)'],
  ])('honest: %s: %j, %j', (path, lines, text) => {
    const name = path === 'CMakeLists.txt' ? 'quiet.cpp' : 'quiet.js'
    expect(found(file(path, lines), file(name, text, 'A'))).toEqual([])
  })
})
