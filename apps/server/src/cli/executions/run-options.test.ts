import { Command } from 'commander'
import { expect, test } from 'vitest'
import { CliError } from '../exit-code.ts'
import { addFreshStartOptions, addRetryOptions, freshStartsOf, retryOf } from './run-options.ts'

const given = (...args: string[]) => {
  const command = addRetryOptions(new Command('run')).exitOverride()
  command.parse(args, { from: 'user' })
  return retryOf(command.opts())
}
const refusal = (...args: string[]): string => {
  try {
    given(...args)
  } catch (error) {
    if (error instanceof CliError && error.exit === 2) return error.message
    throw error
  }
  return 'nothing is wrong'
}

test('without options nothing is sent, so the project decides', () => {
  expect(given()).toEqual({})
})

test('the five fields are read as the API takes them', () => {
  const words = '--retry-count 3 --retry-delay 2s --retry-backoff linear --retry-max-time 1h30m'.split(' ')
  expect(given(...words, '--retry-on', 'rate limit', '--retry-on', 'timeout')).toEqual({
    retryCount: 3,
    retryDelay: 2000,
    retryBackoff: 'linear',
    retryOn: ['rate limit', 'timeout'],
    retryMaxTime: 5_400_000,
  })
  expect(given('--retry-delay', '1500', '--retry-max-time', '0')).toEqual({ retryDelay: 1500, retryMaxTime: 0 })
})

test('all wrong values are named at once, with the right form', () => {
  expect(
    refusal('--retry-count', '11', '--retry-delay', '61s', '--retry-max-time', 'soon').split('\n').toSorted(),
  ).toEqual([
    '--retry-count 11: At most 10.',
    '--retry-delay 61s: At most 1 min.',
    '--retry-max-time soon: Give a time such as 1500 (milliseconds), 30s, 5m or 2h.',
  ])
  expect(refusal('--retry-count', 'many')).toBe('--retry-count many: Give a whole number, such as 3.')
  expect(refusal('--retry-count=-1')).toBe('--retry-count -1: At least 0.')
  expect(refusal('--retry-on', '')).toBe('--retry-on: Give a text.')
  expect(refusal('--retry-on', 'x'.repeat(201))).toBe('--retry-on: Line 1 is too long: at most 200 characters.')
})

test('quoted input cannot control the terminal', () => {
  expect(refusal('--retry-count', '\u001b[2J9')).not.toContain('\u001b')
})

const fresh = (...args: string[]) => {
  const command = addFreshStartOptions(new Command('run')).exitOverride()
  command.parse(args, { from: 'user' })
  return freshStartsOf(command.opts())
}

test('fresh starts are the project’s unless they are named, and a number of them turns them on', () => {
  expect(fresh()).toEqual({})
  expect(fresh('--retry-on-failure')).toEqual({ retryOnFailure: true })
  expect(fresh('--no-retry-on-failure')).toEqual({ retryOnFailure: false })
  expect(fresh('--max-retries', '2')).toEqual({ retryOnFailure: true, maxRetries: 2 })
  expect(fresh('--no-retry-on-failure', '--max-retries', '2')).toEqual({ retryOnFailure: false, maxRetries: 2 })
  expect(() => fresh('--max-retries', '11')).toThrow('--max-retries 11: Give a number from 0 to 10.')
  expect(() => fresh('--max-retries', 'many')).toThrow('--max-retries many: Give a whole number, such as 3.')
})
