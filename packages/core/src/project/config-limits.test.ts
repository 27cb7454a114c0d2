import { expect, test } from 'vitest'
import { ConfigError } from './config-error.ts'
import { parseProjectConfig } from './project-config.ts'

function problemsOf(text: string): string[] {
  try {
    parseProjectConfig(text)
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
}

test('the first of many problems are named, and the others counted', () => {
  const keys = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`key${at}`, 1]))
  expect(problemsOf(JSON.stringify(keys))).toEqual([
    expect.stringMatching(/^unknown keys "key0", .*"key19" and 10 more$/),
  ])
  const env = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`${at}`, 'x']))
  const problems = problemsOf(JSON.stringify({ env }))
  expect(problems).toHaveLength(61)
  expect(problems.at(-1)).toBe('and 40 more problems')
})

test('with more values than anybody writes it is not read', () => {
  expect(problemsOf(`{"x":[${'0,'.repeat(10_000)}0]}`)).toEqual(['it has more than 10000 values'])
})
