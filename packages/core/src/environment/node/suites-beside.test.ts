import { describe, expect, test } from 'vitest'
import { filesOf } from '../../testing/sample-repository.ts'
import { look } from '../look.ts'

const each = (...commands: string[]) =>
  commands.length === 1
    ? commands[0]
    : `failed=; ${commands.map((one) => `{ ${one}; } || failed=1; `).join('')}[ -z "$failed" ]`

const commandsOf = (manifest: object, purpose: string, files: Record<string, string> = {}): string[] =>
  look(filesOf({ 'package.json': JSON.stringify(manifest), 'package-lock.json': '{}', ...files }))
    .commands.filter((one) => one.purpose === purpose)
    .map(({ command }) => command)

describe('each suite of a package is run,', () => {
  test.each<[string, Record<string, string>, string[]]>([
    [
      'without a script for all',
      { 'test:unit': 'vitest run', 'test:node': 'node --test' },
      ['npm run test:unit', 'npm run test:node'],
    ],
    [
      'where the one for all runs one of them',
      { test: 'npm run test:unit', 'test:unit': 'vitest run', 'test:node': 'node --test' },
      ['npm test', 'npm run test:node'],
    ],
    [
      'beside a program that is no runner',
      { test: 'node smoke.js', 'test:unit': 'vitest run' },
      ['npm test', 'npm run test:unit'],
    ],
    [
      'where one chooses files or projects of a runner',
      { test: 'vitest run --project web', 'test:node': 'vitest run --project node' },
      ['npm test', 'npm run test:node'],
    ],
  ])('%s', (_, scripts, commands) => {
    expect(commandsOf({ scripts }, 'test')).toEqual([each(...commands)])
  })

  test('even if one of them is several itself', () => {
    const scripts = { test: 'mocha && node --test a', unit: 'vitest run' }
    const inner = each('npx --no-install mocha', 'node --test a')
    expect(commandsOf({ scripts }, 'test')).toEqual([each(`( ${inner} )`, 'npm run unit')])
  })

  test.each<[string, Record<string, string>, string]>([
    ['that is part of another', { test: 'vitest run --coverage', 'test:unit': 'vitest run src' }, 'npm test'],
    ['of two names', { 'test:unit': 'mocha test', unit: 'mocha test' }, 'npm run test:unit'],
    ['that needs a browser', { test: 'node --test', 'test:unit': 'karma start' }, 'npm test'],
    ['that never ends', { test: 'mocha a', unit: 'nodemon && mocha b' }, 'npm test'],
    [
      'that may need services',
      { test: 'node --test', 'test:integration': 'vitest run', 'test:e2e': 'jest' },
      'npm test',
    ],
  ])('but none %s', (_, scripts, command) => {
    expect(commandsOf({ scripts }, 'test')).toEqual([command])
  })
})

describe('a script that lints, prints or ends is no test', () => {
  const TESTED = { 'src/shop.test.ts': '' }

  test.each(['eslint .', 'exit 0', 'true', 'tsc'])('if a runner and its tests exist: %s', (script) => {
    const manifest = { scripts: { test: script }, devDependencies: { vitest: '3' } }
    expect(commandsOf(manifest, 'test', TESTED)).toEqual(['npx --no-install vitest run'])
    expect(commandsOf(manifest, 'lint', TESTED)).toEqual(script === 'eslint .' ? ['npm test'] : [])
    expect(commandsOf(manifest, 'test')).toEqual(['npm test'])
    expect(commandsOf({ scripts: { test: script } }, 'test', TESTED)).toEqual(['npm test'])
    expect(commandsOf(manifest, 'test', { 'e2e/shop.spec.ts': '' })).toEqual(['npm test'])
  })
})
