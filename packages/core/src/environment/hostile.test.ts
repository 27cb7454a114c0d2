// @suite unit-long
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { detected } from './commands/detected.ts'
import { look } from './look.ts'
import { MOST_TEXT, MOST_TEXTS, type RepositoryFiles } from './files/repository-files.ts'
import { pathFrom } from './files/repository-path.ts'
import { wantedFiles } from './files/wanted-files.ts'

/** Every file that any reader reads, so that each reader gets the made-up texts. */
const EVERY_FILE = [
  ['package.json', 'deno.json', 'pyproject.toml', 'tox.ini', 'requirements.txt', 'go.mod', 'Cargo.toml'],
  ['rust-toolchain', 'rust-toolchain.toml', 'pom.xml', 'build.gradle', 'build.gradle.kts', 'global.json'],
  ['App.csproj', 'Gemfile', 'Gemfile.lock', 'x.gemspec', 'composer.json', 'mix.exs', 'Makefile', 'justfile'],
  ['mise.toml', '.tool-versions', '.nvmrc', '.python-version', 'compose.yaml', '.devcontainer/devcontainer.json'],
  ['.github/workflows/ci.yml', 'gradle/wrapper/gradle-wrapper.properties', 'apps/a/package.json'],
  ['setup.py', 'setup.cfg', 'noxfile.py', 'hatch.toml', 'Pipfile', 'pytest.ini', 'requirements/test.txt', 'test_x.py'],
].flat()

const everywhere = (text: string): RepositoryFiles => ({
  paths: EVERY_FILE,
  texts: new Map(EVERY_FILE.map((path) => [path, text])),
})

test('the server is asked for every file that is read here', () => {
  expect(EVERY_FILE.filter((path) => path !== 'test_x.py' && !wantedFiles(EVERY_FILE).includes(path))).toEqual([])
})

describe('any contents of the files', () => {
  const value = fc.letrec((tie) => ({
    any: fc.oneof(
      { maxDepth: 5, withCrossShrink: true },
      fc.constantFrom('npm test', '20', '>=18', '${localEnv:X}', '../..', '', null, true, 20, -1),
      fc.array(tie('any'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom(...KEYS), tie('any'), { maxKeys: 6 }),
    ),
  })).any

  test('give whole claims: each with its place, in bounds, and the same every time', () => {
    fc.assert(
      fc.property(value, (any) => {
        const files = everywhere(JSON.stringify(any)) // JSON is YAML too
        const found = look(files)
        expect(look(files)).toEqual(found)
        for (const { from } of [...found.tools, ...found.commands, ...found.services, ...found.refused]) {
          expect(EVERY_FILE).toContain(from.file)
          expect(from.line ?? 1).toBeGreaterThan(0)
        }
        for (const { command } of found.commands) expect(command.trim()).not.toBe('')
        for (const { version } of found.tools) expect(version ?? 'any').toMatch(/^[^\n]{1,80}$/)
        expect(detected(found).techStack).not.toEqual([])
      }),
      { numRuns: 150 },
    )
  })

  test('do no harm, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
        look(everywhere(text))
      }),
      { numRuns: 50 },
    )
  })

  test.each<[string, string]>([
    ['nothing', ''],
    ['white space', ' '.repeat(MOST_TEXT)],
    ['empty lines', '\n'.repeat(MOST_TEXT)],
    ['carriage returns', '\r'.repeat(MOST_TEXT)],
    ['open brackets', '{"a":['.repeat(MOST_TEXT / 6)],
    ['open quotes', '"\\'.repeat(MOST_TEXT / 2)],
    ['colons', 'a:'.repeat(MOST_TEXT / 2)],
    ['equal signs', 'a=\n'.repeat(MOST_TEXT / 3)],
    ['dots', '1.'.repeat(MOST_TEXT / 2)],
    ['tags', '<release>'.repeat(MOST_TEXT / 9)],
    ['dashes', '- '.repeat(MOST_TEXT / 2)],
    ['names of actions', 'uses: actions/setup-node@v4\n'.repeat(MOST_TEXT / 28)],
    ['one long word', 'x'.repeat(MOST_TEXT)],
  ])('do no harm at full size in every file, made of %s', (_, text) => {
    expect(look(everywhere(text)).tools.length).toBeLessThan(30)
  })
})

const KEYS = [
  ['scripts', 'test', 'build', 'lint', 'engines', 'node', 'packageManager', 'volta', 'dependencies', 'workspaces'],
  ['tasks', 'require', 'php', 'sdk', 'version', 'image', 'features', 'build', 'dockerfile', 'context', 'runArgs'],
  ['postCreateCommand', 'dockerComposeFile', 'service', 'services', 'environment', 'healthcheck', 'jobs', 'steps'],
  ['run', 'uses', 'with', 'node-version', 'strategy', 'matrix', 'options', '__proto__', 'constructor', 'toString'],
].flat()

test.each([
  ['is too large', 'x'.repeat(MOST_TEXT + 1), 'is too large to read'],
  ['has a NUL', '{"scripts":\0{}}', 'is not text'],
])('a file that %s counts only as existing, and that is said once', (_, text, note) => {
  const found = look({ paths: ['package.json'], texts: new Map([['package.json', text]]) })
  expect(found.notes).toEqual([{ text: expect.stringContaining(note), from: { file: 'package.json', line: null } }])
  expect(detected(found)).toMatchObject({ setup: 'npm install --no-package-lock', test: null })
})

test('files count as long as all of them together are not too much, those of the root first', () => {
  const large = JSON.stringify({ scripts: { test: 'x'.repeat(MOST_TEXT - 100) } })
  const paths = ['package.json', ...Array.from({ length: 20 }, (_, n) => `p${n + 10}/package.json`)]
  const { commands, notes } = look({ paths, texts: new Map(paths.map((path) => [path, large])) })
  expect(commands.filter(({ purpose }) => purpose === 'test')).toHaveLength(MOST_TEXTS / MOST_TEXT)
  expect(commands.some(({ folder }) => folder === '')).toBe(true)
  expect(notes[0]?.text).toBe('p25/package.json is too large to read; only its presence counts.')
})

test("a byte order mark and foreign line endings are no part of a file's contents", () => {
  const found = look({
    paths: ['.nvmrc', 'package.json'],
    texts: new Map([
      ['.nvmrc', '\uFEFF# x\r\n20.1.0\r\n'],
      ['package.json', '\uFEFF{"scripts":{\r\n"test":"x"}}'],
    ]),
  })
  expect(found.tools[0]).toMatchObject({ version: '20.1.0', from: { line: 2 } })
  expect(found.commands.find(({ purpose }) => purpose === 'test')?.from.line).toBe(2)
})

test('a listing of a hundred thousand paths is read whole, and a longer one is cut', () => {
  const paths = Array.from({ length: 120_000 }, (_, n) => `src/a${n % 300}/b${n}.ts`)
  paths.unshift('package.json')
  const found = look({ paths, texts: new Map([['package.json', '{}']]) })
  expect(found.techStack).toEqual(['JavaScript', 'Node.js'])
  expect(found.notes[0]?.text).toContain('more than 100000 files')
  expect(wantedFiles(paths)).toEqual(['package.json'])
})

test('paths that leave the repository, or upset a terminal, are ignored', () => {
  const paths = ['../package.json', '/package.json', 'a/../go.mod', 'a//go.mod', 'b\u001b[2J/go.mod', './Gemfile', '']
  expect(look({ paths, texts: new Map(paths.map((path) => [path, '{}'])) })).toMatchObject({ nested: [], commands: [] })
})

test.each([
  ['.devcontainer', 'Dockerfile', '.devcontainer/Dockerfile'],
  ['.devcontainer', '../Dockerfile', 'Dockerfile'],
  ['.devcontainer', '..', ''],
  ['', './a/./b', 'a/b'],
  ['', '..', null],
  ['a', '../../b', null],
  ['', '/etc/passwd', null],
  ['', '~/x', null],
  ['', 'C:\\x', null],
  ['', '${localEnv:HOME}', null],
  ['', 'a\nb', null],
])('from "%s" the path "%s" is %j', (folder, written, path) => {
  expect(pathFrom(folder, written)).toBe(path)
})
