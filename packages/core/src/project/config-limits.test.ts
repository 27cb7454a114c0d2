import { expect, test } from 'vitest'
import { ConfigError } from '../settings/config-error.ts'
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

test('a file with a thousand wrong keys is reported in less than a page, however long they are', () => {
  const key = (at: number) => `${at}`.padEnd(180, 'k')
  const wrong = (many: number) => Object.fromEntries(Array.from({ length: many }, (_, at) => [key(at), 1]))
  const services = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`s${at}`, { image: 'a', ...wrong(20) }]))
  const text = JSON.stringify({ services })
  expect(text.length).toBeGreaterThan(200_000)
  const problems = problemsOf(text)
  expect(problems[0]).toMatch(/^unknown keys "services\.s0\.0k+", .* and \d+ more$/)
  expect(problems.at(-1)).toMatch(/^and \d+ more problems$/)
  expect(problems.join('; ').length).toBeLessThan(16_000)
})

test('problems of combined keys are bounded as well', () => {
  const beads = Object.fromEntries(Array.from({ length: 1_000 }, (_, at) => [`b-${at}`, { agent: 'command' }]))
  const problems = problemsOf(JSON.stringify({ beads }))
  expect(problems).toHaveLength(61)
  expect(problems.at(-1)).toBe('and 940 more problems')
})

test('a file with absurdly many values is not read', () => {
  expect(problemsOf(`{"x":[${'0,'.repeat(10_000)}0]}`)).toEqual(['it has more than 10000 values'])
})
