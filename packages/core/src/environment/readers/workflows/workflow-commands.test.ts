import { expect, test } from 'vitest'
import { commandsIn } from './workflow-commands.ts'

const lines = (script: string): string[] => commandsIn(script).map(({ purpose, command }) => `${purpose}: ${command}`)

test.each([
  ['yarn', 'setup'],
  ['yarn --frozen-lockfile', 'setup'],
  ['yarn install --immutable', 'setup'],
  ['npm ci', 'setup'],
  ['npm i --no-audit --no-fund', 'setup'],
  ['pnpm i --frozen-lockfile', 'setup'],
  ['bun install', 'setup'],
  ['yarn test', 'test'],
  ['yarn test:unit --coverage', 'test'],
  ['pnpm -r test', 'test'],
  ['pnpm turbo test', 'test'],
  ['npx nx run-many -t test', 'test'],
  ['yarn workspaces foreach -A run test', 'test'],
  ['node --test', 'test'],
  ['bun test', 'test'],
  ['yarn build', 'build'],
  ['yarn lint', 'lint'],
])('%s counts as what it does: %s', (command, purpose) => {
  expect(lines(command)).toEqual([`${purpose}: ${command}`])
})

test.each([
  'npm install -g pnpm',
  'npm i --global yarn',
  'npm install codecov',
  'yarn codecov',
  'yarn dlx x',
  'npm run testimony',
])('%s neither prepares nor tests the project', (command) => {
  expect(lines(command)).toEqual([])
})

test('several on one line are several, as long as they are in the same folder', () => {
  expect(lines('npm ci && npm run build && npm test')).toEqual([
    'setup: npm ci',
    'build: npm run build',
    'test: npm test',
  ])
  expect(lines('npm ci && cd docs && npm test')).toEqual(['setup: npm ci'])
  expect(lines('cd docs && npm ci')).toEqual([])
})
