import { describe, expect, test } from 'vitest'
import type { ManagerName } from './manifest.ts'
import { takenApart, takenApartWithout } from './compound-script.ts'
import { needsBrowser } from './runners.ts'

const manager = (name: ManagerName) =>
  ({ name, version: null, modern: false, locked: true, lock: null, from: { file: '', line: null } }) as const
const apart = (scripts: Record<string, string>, name: ManagerName = 'npm') =>
  takenApart(new Map(Object.entries(scripts)), 'test', manager(name))

describe('a script that lints before it tests', () => {
  test('is a linter and tests, with the variables that it sets', () => {
    expect(apart({ test: "xo && tsc --noEmit && NODE_OPTIONS='--import=tsx/esm' ava" })).toEqual({
      test: "NODE_OPTIONS='--import=tsx/esm' npx --no-install ava",
      lints: ['npx --no-install xo', 'npx --no-install tsc --noEmit'],
    })
  })

  test('calls its own scripts by their names', () => {
    const scripts = { lint: 'eslint .', unit: 'c8 mocha', 'test:types': 'tsc -p types', test: '' }
    expect(apart({ ...scripts, test: 'pnpm lint && pnpm unit && pnpm test:types' }, 'pnpm')).toEqual({
      test: 'pnpm unit',
      lints: ['pnpm lint', 'pnpm test:types'],
    })
  })

  test('keeps earlier steps that the tests need', () => {
    expect(apart({ build: 'rollup -c', lint: 'eslint .', test: 'npm run build && npm run lint && jest' })).toEqual({
      test: 'npm run build && npx --no-install jest',
      lints: ['npm run lint'],
    })
  })

  test('is taken apart if a program runs its scripts, which keep their arguments', () => {
    const scripts = {
      'lint:code': 'eslint .',
      lint: 'run-p --continue-on-error lint:*',
      unit: 'nyc node bin/x.js',
      'unit:a': 'npm run -s unit -- a',
      'unit:b': 'npm run -s unit -- b',
      node: 'run-s clean unit:*',
      clean: 'rimraf x',
    }
    expect(apart({ ...scripts, test: 'run-s lint node' })).toEqual({ test: 'npm run node', lints: ['npm run lint'] })
  })

  test('takes a program that is no package from the system', () => {
    expect(apart({ test: 'rm -rf out && mkdir out && eslint . && rimraf x && mocha' })?.test).toBe(
      'rm -rf out && mkdir out && npx --no-install rimraf x && npx --no-install mocha',
    )
  })

  test('may lint in its pre-script, or in a script that it calls', () => {
    expect(apart({ pretest: 'eslint .', test: 'mocha' })).toEqual({
      test: 'npx --no-install mocha',
      lints: ['npx --no-install eslint .'],
    })
    expect(apart({ all: 'standard && node --test', test: 'npm run all' })).toEqual({
      test: 'node --test',
      lints: ['npx --no-install standard'],
    })
  })
})

describe('a script with several runners', () => {
  test('runs each of them, and fails if one does', () => {
    expect(apart({ test: 'node --test && yarn run jest' }, 'yarn')?.test).toBe(
      'failed=; { node --test; } || failed=1; { yarn run jest; } || failed=1; [ -z "$failed" ]',
    )
    expect(apart({ test: 'mocha && npm run build && node --test dist && echo done' })?.test).toBe(
      'failed=; { npx --no-install mocha; } || failed=1; { npm run build && node --test dist; } || failed=1; { echo done; } || failed=1; [ -z "$failed" ]',
    )
  })
})

test.each([
  ['does one thing', { test: 'jest' }],
  ['tests first', { test: 'jest && eslint .' }],
  ['builds what it tests', { test: 'tsc && node --test' }],
  ['tests nothing that is known', { test: 'eslint . && node check.js' }],
  ['has words of a shell', { test: 'eslint . || true && jest' }],
  ['goes to another folder', { test: 'eslint . && cd sub && jest' }],
  ['runs something beside it', { test: 'node server.js & eslint . && jest' }],
  ['has a quotation', { test: 'eslint . && node -e "a && b" && jest' }],
  ['is empty', {}],
  ['calls itself', { test: 'eslint . && npm test' }],
])('a script that %s is left as it is', (_, scripts) => {
  expect(apart(scripts as Record<string, string>)).toBeNull()
})

test('the parts that need no browser are run', () => {
  const scripts = new Map([
    ['unit', 'node fix.js mocha test/unit'],
    ['browsers', 'node fix.js cross-env A=b karma start --single-run'],
    ['test', 'eslint lib && npm run unit && npm run browsers'],
  ])
  expect(takenApartWithout(scripts, 'test', manager('npm'), needsBrowser)).toEqual({
    test: 'npm run unit',
    lints: ['npx --no-install eslint lib'],
  })
  expect(takenApartWithout(new Map([['test', 'karma start']]), 'test', manager('npm'), needsBrowser)).toBeNull()
})
