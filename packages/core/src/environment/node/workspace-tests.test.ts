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

test('another runner of the workspaces, or a project that is chosen, leaves them out', () => {
  const text = "export default { test: { projects: ['packages/*'] } }\n"
  expect(
    repository({ 'vitest.config.ts': text, 'packages/a/package.json': '{"scripts":{"test":"jest"}}' }),
  ).toHaveLength(2)
  expect(repository({ 'vitest.config.ts': text }, 'vitest run --project b')).toHaveLength(2)
})

test.each([
  ['nx test', 'npx --no-install nx run-many --target=test --skip-nx-cache'],
  ['nx affected:test --parallel=3', 'npx --no-install nx run-many --target=test --skip-nx-cache'],
  ['npx nx affected -t unit', 'npx --no-install nx run-many --target=unit --skip-nx-cache'],
  ['nx run-many -t test', 'npm test -- --skip-nx-cache'],
  ['nx test shop', 'npm test'],
])('Nx tests all of its projects, and not those that a branch changes, or none: %s', (script, command) => {
  expect(repository({}, script)).toEqual([command])
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
