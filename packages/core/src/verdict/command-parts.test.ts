import { expect, test } from 'vitest'
import { mayHaveStopped, testParts } from './command-parts.ts'
import { namedCommands } from './named-commands.ts'

const manifest = JSON.stringify({
  scripts: {
    test: 'npm run build && npm run test:unit && npm run test:node',
    build: 'tsc -p .',
    'test:unit': 'vitest run',
    'test:node': 'node --test',
    loop: 'npm run loop && npm run loop',
  },
})
const makefile = 'test: unit lint\n\t@go test ./...\n\nunit:\n\tpython -m pytest\nlint:\n\truff check .\n'
const named = namedCommands(manifest, makefile)
const runners = (command: string) => testParts(command, named).map(({ runner }) => runner)

test('a command line is the tests of all that it runs, through the scripts that it names', () => {
  expect(runners('npm test')).toEqual(['vitest', 'node-test'])
  expect(runners('cargo test --workspace')).toEqual(['cargo-test'])
  expect(runners('make lint && sh run-tests.sh')).toEqual([null])
  expect(runners('make test')).toEqual(['pytest', 'go-test'])
  expect(runners('make -k test')).toEqual([null])
  expect(testParts('npm run loop', named).length).toBeLessThan(50)
})

test('one that failed may have ended before its last tests, unless these were seen', () => {
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
})
