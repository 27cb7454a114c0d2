import { expect, test } from 'vitest'
import { filesOf } from '../../testing/sample-repository.ts'
import { look } from '../look.ts'

const repository = (settings: Record<string, string>, script = 'vitest run') =>
  look(
    filesOf({
      'package.json': JSON.stringify({ workspaces: ['packages/*'], scripts: { test: script } }),
      'package-lock.json': '{}',
      'packages/a/package.json': '{"name":"a","scripts":{"test":"vitest run"}}',
      'packages/a/a.test.ts': '',
      ...settings,
    }),
  )
    .commands.filter(({ purpose }) => purpose === 'test')
    .filter(({ folder }) => folder === '')
    .map(({ command }) => command)

test.each([
  ['by a pattern', "projects: ['packages/*', './other.config.ts'],"],
  ['by its path', 'projects: ["./packages/a"],'],
  ['by its settings', "projects: ['packages/*/vitest.config.ts'],"],
  ['however deep', "projects: ['packages/**'],"],
])("a workspace that Vitest's settings name as a project is tested once: %s", (_, projects) => {
  const text = `export default { test: { ${projects} typecheck: { include: ['**/*.test.ts'] } } }\n`
  expect(repository({ 'vitest.config.ts': text })).toEqual(['npm test'])
  const other = repository({ 'vitest.config.ts': text.replaceAll('packages', 'apps') })
  expect(other).toEqual(['npm test', 'npm test --workspaces --if-present'])
})

test('a workspace file names them too', () => {
  const include = "export default { test: { include: ['src'] } }\n"
  const workspace = "export default defineWorkspace(['packages/*'])\n"
  expect(repository({ 'vitest.config.ts': include, 'vitest.workspace.ts': workspace })).toEqual(['npm test'])
  expect(repository({ 'vitest.config.ts': include })).toHaveLength(2)
})

test('another runner of the workspaces, or a chosen project, leaves them out', () => {
  const text = "export default { test: { projects: ['packages/*'] } }\n"
  expect(
    repository({ 'vitest.config.ts': text, 'packages/a/package.json': '{"scripts":{"test":"jest"}}' }),
  ).toHaveLength(2)
  expect(repository({ 'vitest.config.ts': text }, 'vitest run --project b')).toHaveLength(2)
})

const SECOND = { 'packages/b/package.json': '{"name":"@shop/b","scripts":{"test":"vitest run"}}' }

test.each([
  'npm test -w packages/a',
  'npm run test --workspace=a',
  'pnpm --filter ./packages/a test',
  'pnpm -F a run test',
  'yarn workspace a test',
  'turbo run test --filter=a',
  'lerna run test --scope a',
  'npm run build && npm test -w a',
  'nx test a',
  'npx nx run a:test',
  'nx run-many -t test --projects=a',
])('a root that tests one workspace hides no other: %s', (script) => {
  const [own, ...others] = repository(SECOND, script)
  expect(own).toContain('npm test')
  expect(others).toEqual(['npm test --workspaces --if-present'])
  expect(repository({}, script)).toHaveLength(1)
})

test.each([
  'npm test -w a -w packages/b',
  'turbo run test --filter=a --filter=@shop/b',
  'turbo run test --filter=./packages/*',
  "pnpm --filter '!docs' test",
  'pnpm --filter a... test',
  'npm test --workspaces',
  'nx run-many -t test -p a,@shop/b',
  'nx run-many -t test --projects=tag:lib',
])('workspaces that are all named, or found by a pattern, are tested once: %s', (script) => {
  expect(repository(SECOND, script)).toHaveLength(1)
})

test.each([
  ['npm run lint', ['npm run unit']],
  ['eslint . && tsc --noEmit', ['npm run unit']],
  ['echo "see unit"', ['npm run unit']],
  ['node smoke.js', ['failed=; { npm test; } || failed=1; { npm run unit; } || failed=1; [ -z "$failed" ]']],
])('a script that only lints or prints is no test if another one is: %s', (script, commands) => {
  const scripts = { test: script, lint: 'eslint .', unit: 'vitest run' }
  const { commands: found } = look(filesOf({ 'package.json': JSON.stringify({ scripts }), 'package-lock.json': '{}' }))
  expect(found.filter(({ purpose }) => purpose === 'test').map(({ command }) => command)).toEqual(commands)
  expect(found.some(({ purpose, command }) => purpose === 'lint' && command === 'npm run lint')).toBe(true)
})

test.each([
  ['nx test', 'npx --no-install nx run-many --target=test --skip-nx-cache'],
  ['nx affected:test --parallel=3', 'npx --no-install nx run-many --target=test --skip-nx-cache'],
  ['npx nx affected -t unit', 'npx --no-install nx run-many --target=unit --skip-nx-cache'],
  ['nx run-many -t test', 'npm test -- --skip-nx-cache'],
])('Nx tests all of its projects, and not those that a branch changes, or none: %s', (script, command) => {
  expect(repository({}, script)).toEqual([command])
})

test('projects that only Nx knows are tested by Nx, unless a script tests them', () => {
  const tests = (scripts: Record<string, string>, files: Record<string, string>) =>
    look(
      filesOf({
        'package.json': JSON.stringify({ scripts, devDependencies: { nx: '20', jest: '30' } }),
        'package-lock.json': '{}',
        'nx.json': '{}',
        'libs/a/project.json': '{"targets":{"test":{"executor":"@nx/jest:jest"}}}',
        ...files,
      }),
    )
      .commands.filter(({ purpose }) => purpose === 'test')
      .map(({ command }) => command)
  const all = 'npx --no-install nx run-many --target=test --skip-nx-cache'
  expect(tests({}, { 'libs/a/a.test.ts': '' })).toEqual([all])
  expect(tests({ test: 'jest' }, { 'libs/a/a.test.ts': '' })).toEqual(['npm test'])
  expect(tests({}, {})).toEqual(['npx --no-install jest'])
})

test('Nx builds and lints all of its projects, too', () => {
  const scripts = JSON.stringify({
    scripts: { build: 'nx build', lint: 'nx affected:lint' },
    devDependencies: { nx: '20' },
  })
  const { commands } = look(filesOf({ 'package.json': scripts, 'package-lock.json': '{}' }))
  expect(commands.filter(({ purpose }) => purpose !== 'setup').map(({ command }) => command)).toEqual([
    'npx --no-install nx run-many --target=build --skip-nx-cache',
    'npx --no-install nx run-many --target=lint --skip-nx-cache',
  ])
})

const checksIn = (
  root: object,
  workspaces: Record<string, Record<string, string>>,
): [purpose: string, command: string][] =>
  look(
    filesOf({
      'package.json': JSON.stringify({ workspaces: ['packages/*'], ...root }),
      'pnpm-lock.yaml': '',
      'pnpm-workspace.yaml': "packages:\n  - 'packages/*'\n",
      ...Object.fromEntries(
        Object.entries(workspaces).map(([name, scripts]) => [
          `packages/${name}/package.json`,
          JSON.stringify({ name, scripts }),
        ]),
      ),
    }),
  )
    .commands.filter(({ purpose, folder }) => purpose !== 'setup' && folder === '')
    .map(({ purpose, command }) => [purpose, command])

const WITH_BROWSER = {
  build: 'tsdown',
  'test:types': 'tsc --noEmit',
  'test:unit': 'vitest run',
  test: "pnpm run build && pnpm run '/^(test:unit|test:types)$/' && playwright test",
}

test('in a workspace whose script also needs a browser the rest runs, and the others as ever', () => {
  const rest: [string, string] = ['test', 'cd packages/b && pnpm run build && pnpm run test:unit']
  const types: [string, string] = ['lint', 'cd packages/b && pnpm run test:types']
  const all = 'pnpm --recursive --no-bail --workspace-concurrency=1'
  const root = { scripts: { test: 'pnpm run -r test' } }
  expect(checksIn(root, { b: WITH_BROWSER })).toEqual([rest, types])
  const others: [string, string] = ['test', `${all} --filter '!./packages/b' run test`]
  expect(checksIn(root, { a: { test: 'vitest run' }, b: WITH_BROWSER })).toEqual([others, rest, types])
  expect(checksIn({}, { a: { test: 'vitest run' }, b: WITH_BROWSER })).toEqual([others, rest, types])
  expect(checksIn(root, { a: { test: 'vitest run' } })).toEqual([['test', `${all} run test`]])
})

test.each([
  ['only lints', { test: 'eslint .', 'test:unit': 'vitest run' }],
  ['is absent', { 'test:unit': 'vitest run' }],
])('a workspace is tested by its own script where the one for all of them %s', (_, scripts) => {
  const all: [string, string] = ['test', 'pnpm --recursive --no-bail --workspace-concurrency=1 run test']
  const rest: [string, string] = ['test', 'cd packages/b && pnpm run test:unit']
  const a = { test: 'vitest run' }
  const root = { scripts: { test: 'pnpm run -r test' } }
  const tested = (from: object, b: Record<string, string>) =>
    checksIn(from, { a, b }).filter(([purpose]) => purpose === 'test')
  expect(tested(root, scripts)).toEqual([all, rest])
  expect(tested({}, scripts)).toEqual([all, rest])
  expect(tested({ scripts: { test: 'vitest run' } }, scripts)).toEqual([['test', 'pnpm test']])
  expect(tested({ scripts: { test: 'turbo run test test:unit' } }, scripts)).toHaveLength(1)
  expect(tested(root, { test: 'eslint .', 'test:e2e': 'vitest run e2e' })).toEqual([all])
})

test('a workspace that can only be tested in a browser is left out', () => {
  const root = { scripts: { test: 'turbo run test' }, devDependencies: { turbo: '2' } }
  expect(checksIn(root, { b: { test: 'playwright test' } })).toEqual([])
})

const setupWith = (lock: string, manager: Record<string, string> = {}) =>
  look(
    filesOf({
      'package.json': '{"workspaces":["packages/*"]}',
      'packages/a/package.json': '{"name":"a","scripts":{"test":"vitest run"}}',
      'packages/demo/package.json': '{"name":"demo","dependencies":{"gone":"1"}}',
      [lock]: '',
      ...manager,
    }),
  ).commands.find(({ purpose, folder }) => purpose === 'setup' && folder === '')?.command

test('the needs of a workspace without tests keep no other from being installed', () => {
  expect(setupWith('pnpm-lock.yaml', { 'pnpm-workspace.yaml': "packages:\n  - 'packages/*'\n" })).toBe(
    '{ pnpm install --frozen-lockfile || pnpm install --frozen-lockfile --filter . --filter ./packages/a...; }',
  )
  expect(setupWith('package-lock.json')).toBe('{ npm ci || npm ci --include-workspace-root --workspace=packages/a; }')
  expect(setupWith('yarn.lock')).toBe('yarn install --frozen-lockfile')
  expect(setupWith('package-lock.json', { 'packages/demo/package.json': '{"scripts":{"test":"jest"}}' })).toBe('npm ci')
})
