import { expect, test } from 'vitest'
import { ConfigError } from '../settings/config-error.ts'
import { parseProjectConfig } from './project-config.ts'
import { changeOverrides } from './project-overrides.ts'

function problemsIn(work: () => unknown): string[] {
  try {
    work()
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
  return []
}
const inFile = (value: unknown) => problemsIn(() => parseProjectConfig(JSON.stringify(value)))

test('problems of keys in combination are named beside those of single keys', () => {
  const problems = inFile({
    test: 'true',
    nope: 1,
    limits: { memory: 1 },
    image: 'x',
    dockerfile: 'y',
    workBranch: '-x',
  })
  expect(problems).toHaveLength(4)

  expect(problems.slice(2).join('\n')).toMatch(/give "image" or "dockerfile", not both[^]*"workBranch"/)
})

test('a refused value is no reason for a problem of another key that needs it', () => {
  expect(inFile({ agent: 'command', command: 5 })).toEqual([expect.stringMatching(/^"command": /)])
  expect(inFile([])).toHaveLength(1)
})

test('choices on the server are refused with both kinds of problems, too', () => {
  const problems = problemsIn(() => changeOverrides({}, { 'slots.limit': -1, agent: 'command' }, {}))
  expect(problems).toEqual([
    expect.stringMatching(/^"slots\.limit": /),
    '"agent": "command" needs "command", the command line to run',
  ])
})
