import { expect, test } from 'vitest'
import { mayHaveStopped, runnerNamed, testParts } from './command-parts.ts'
import { filesNamedBy, namedCommands } from './named-commands.ts'

const manifest = JSON.stringify({
  scripts: {
    test: 'npm run build && npm run test:unit && npm run test:node',
    build: 'tsc -p .',
    'test:unit': 'vitest run',
    'test:node': 'node --test',
    loop: 'npm run loop && npm run loop',
    each: 'run-s "test:*"',
    anyway: 'npm-run-all -c test:unit test:node',
  },
})
const makefile = 'test: unit lint\n\t@go test ./...\n\nunit:\n\tpython -m pytest\nlint:\n\truff check .\n'
const files = new Map([
  ['package.json', manifest],
  ['Makefile', makefile],
  ['run-all.sh', '#!/bin/sh\nset -e\npython -m pytest\n'],
  ['api/test.sh', 'cargo test\n'],
])
const named = namedCommands('npm test', files)
const runners = (command: string) => testParts(command, named).map(({ runner }) => runner)

test('a command line has the tests of everything that it runs, through the scripts that it names', () => {
  expect(runners('npm test')).toEqual(['vitest', 'node-test'])
  expect(runners('cargo test --workspace')).toEqual(['cargo-test'])
  expect(runners('make lint && sh run-tests.sh')).toEqual([null])
  expect(runners('make test')).toEqual(['pytest', 'go-test'])
  expect(runners('make -k test')).toEqual([null])
  expect(runners('npm run each')).toEqual(['vitest', 'node-test'])
  expect(testParts('npm run loop', named).length).toBeLessThan(50)
})

test('a failed command may have ended before its last tests, unless these were seen', () => {
  const stopped = (command: string, ...seen: string[]) => mayHaveStopped(testParts(command, named), seen)
  expect(stopped('npm test', 'vitest')).toBe(true)
  expect(stopped('npm test', 'vitest', 'node-test')).toBe(false)
  expect(stopped('npm run test:unit', 'vitest')).toBe(false)
  expect(stopped('tsc -p . && vitest run', 'vitest')).toBe(false)
  expect(stopped('vitest run && sh more-tests.sh', 'vitest')).toBe(true)
  expect(stopped('make test', 'pytest')).toBe(true)
  expect(stopped('make test', 'pytest', 'go-test')).toBe(false)
  expect(stopped('pytest -x tests', 'pytest')).toBe(true)
  expect(stopped('node --test a && node --test b', 'node-test')).toBe(true)
  expect(stopped('tsc -p . && vitest run')).toBe(true)
  expect(stopped('npm run each', 'vitest')).toBe(true)
  expect(stopped('npm run anyway', 'vitest')).toBe(false)
  expect(stopped('cd tests && pytest', 'pytest')).toBe(false)
})

test('parts that run regardless of the one before hide nothing', () => {
  const stopped = (command: string, ...seen: string[]) => {
    const files = new Map([
      ['on.sh', '#!/bin/sh\npytest\ngo test ./...\n'],
      ['first.sh', '#!/bin/sh\nset -eu\npytest\ngo test ./...\n'],
      ['leaves.sh', 'pytest || exit 1\ngo test ./...\n'],
      ['Makefile', 'all:\n\t-pytest\n\tgo test ./...\n'],
    ])
    return mayHaveStopped(testParts(command, namedCommands(command, files)), seen)
  }
  expect(stopped('pytest; go test ./...', 'pytest')).toBe(false)
  expect(stopped('pytest | tee out.txt', 'pytest')).toBe(false)
  expect(stopped('pytest || true && go test ./...', 'pytest')).toBe(false)
  expect(stopped('tsc && pytest; go test ./...', 'go-test')).toBe(true)
  expect(stopped('sh on.sh', 'pytest')).toBe(false)
  expect(stopped('sh first.sh', 'pytest')).toBe(true)
  expect(stopped('sh leaves.sh', 'pytest')).toBe(true)
  expect(stopped('make all', 'pytest')).toBe(false)
})

test.each([
  ['.venv/bin/python -m pytest -q', 'pytest'],
  ['npm test', 'vitest'],
  ['cd api && go test ./...', 'go-test'],
  ['sh run-all.sh', 'pytest'],
  ["cd 'api' && sh ./test.sh", 'cargo-test'],
  ['npm run none', null],
  ['sh none.sh', null],
])('%s names the runner %s', (command, runner) => {
  expect(runnerNamed(command, namedCommands(command, files))).toBe(runner)
})

test('only files that a command may mean are requested', () => {
  expect(filesNamedBy('cd api && sh test.sh -v')).toContain('api/test.sh')
  expect(filesNamedBy('npm test')).toEqual(['package.json', 'GNUmakefile', 'makefile', 'Makefile'])
})

test('scripts that each name the next forty times are followed only as far as a person would read them', () => {
  let asked = 0
  const next = (name: string) => Array.from({ length: 40 }, () => `npm run ${name}`).join(' && ')
  const scripts = new Proxy<Record<string, string>>(
    { test: next('a'), a: next('b'), b: next('empty'), empty: ' ' },
    {
      get(target, name: string) {
        asked += 1
        return target[name]
      },
    },
  )
  expect(testParts('npm test', { scripts, targets: {}, shell: {} })).toEqual([])
  expect(asked).toBeLessThan(1_000)
})

test('targets that all need the same a thousand times keep no more than is read', () => {
  const targets = Array.from({ length: 21 }, (_, at) => `t${at}`).join(' ')
  const makefile = `${targets}: ${'x '.repeat(900)}\n`.repeat(100)
  const known = Object.values(namedCommands('make t1', new Map([['Makefile', makefile]])).targets)
  expect(known).toHaveLength(21)
  for (const meaning of known) expect(meaning.length).toBeLessThan(50_000)
})
