import { describe, expect, test } from 'vitest'
import { filesOf } from '../../testing/sample-repository.ts'
import { detected } from '../commands/detected.ts'
import { look } from '../look.ts'

const checks = (scripts: Record<string, string>) =>
  detected(look(filesOf({ 'package.json': JSON.stringify({ scripts: { test: 'mocha', ...scripts } }) }))).checks

describe('code that the installation compiles is compiled again before the tests', () => {
  test.each<[string, Record<string, string>, string]>([
    ['by its script', { prepare: 'tsc' }, 'npm run prepare'],
    ['after another one', { postinstall: 'rimraf dist && tsc -p .' }, 'npm run postinstall'],
    ['by a script that it starts', { prepare: 'husky && npm run compile', compile: 'rollup -c' }, 'npm run compile'],
    ['beside hooks of git', { prepare: 'husky install && tsup src/index.ts' }, 'npx --no-install tsup src/index.ts'],
    ['in all workspaces', { prepare: 'npm run build --workspaces' }, 'npm run prepare'],
  ])('%s', (_, scripts, command) => {
    expect(checks(scripts)).toEqual([{ type: 'build', command }])
  })

  test.each<[string, Record<string, string>]>([
    ['only checks types', { prepare: 'tsc --noEmit' }],
    ['is for hooks and patches', { prepare: 'husky', postinstall: 'patch-package' }],
    ['does what the tests do', { prepare: 'tsc', pretest: 'tsc' }],
    ['does what they do by another script', { prepare: 'tsc', test: 'npm run c && mocha', c: 'tsc' }],
    ['never ends', { prepare: 'tsc --watch' }],
  ])('unless it %s', (_, scripts) => {
    expect(checks(scripts)).toEqual([])
  })

  test('unless there is a script that builds', () => {
    expect(checks({ prepare: 'tsc', build: 'rollup -c' })).toEqual([{ type: 'build', command: 'npm run build' }])
  })
})
