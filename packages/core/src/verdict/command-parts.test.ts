import { expect, test } from 'vitest'
import { mayHaveStopped, testParts } from './command-parts.ts'

const scripts = {
  test: 'npm run build && npm run test:unit && npm run test:node',
  build: 'tsc -p .',
  'test:unit': 'vitest run',
  'test:node': 'node --test',
  loop: 'npm run loop && npm run loop',
}
const runners = (command: string) => testParts(command, scripts).map(({ runner }) => runner)

test('a command line is the tests of all that it runs, through the scripts that it names', () => {
  expect(runners('npm test')).toEqual(['vitest', 'node-test'])
  expect(runners('cargo test --workspace')).toEqual(['cargo-test'])
  expect(runners('make lint && sh run-tests.sh')).toEqual([null])
  expect(testParts('npm run loop', scripts).length).toBeLessThan(50)
})

test('one that failed may have ended before its last tests, unless these were seen', () => {
  const stopped = (command: string, ...seen: string[]) => mayHaveStopped(testParts(command, scripts), seen)
  expect(stopped('npm test', 'vitest')).toBe(true)
  expect(stopped('npm test', 'vitest', 'node-test')).toBe(false)
  expect(stopped('npm run test:unit', 'vitest')).toBe(false)
  expect(stopped('tsc -p . && vitest run', 'vitest')).toBe(false)
  expect(stopped('vitest run && sh more-tests.sh', 'vitest')).toBe(true)
  expect(stopped('node --test a && node --test b', 'node-test')).toBe(true)
})
