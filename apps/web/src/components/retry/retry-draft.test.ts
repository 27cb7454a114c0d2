import { defaultRetry } from '@beadloom/core/retry.ts'
import { describe, expect, test } from 'vitest'
import { parseDuration, spokenDuration, typedDuration } from './duration-text.ts'
import { describePolicy, draftOf, problemsOf, readDraft, type RetryDraft } from './retry-draft.ts'

const read = (changed: Partial<RetryDraft>, defaults = defaultRetry) =>
  readDraft({ ...draftOf(defaults), ...changed }, defaults)

describe('a time as people type it', () => {
  test.each([
    ['1500', 1500],
    ['1500ms', 1500],
    ['30s', 30_000],
    [' 5 m ', 300_000],
    ['2h', 7_200_000],
    ['1.5m', 90_000],
    ['1h 30m', 5_400_000],
    ['1H30M', 5_400_000],
    ['0', 0],
  ])('%j is %i ms', (text, ms) => expect(parseDuration(text)).toBe(ms))
  test.each(['', 'soon', '5 days', '-1', '-1s', '1e3', '0.5ms', '5m2', 's', `${'9'.repeat(40)}`, '１s'])(
    '%j is refused',
    (text) => expect(parseDuration(text)).toBeNull(),
  )
  test('what is written into a field is read as the same time', () => {
    for (const ms of [0, 1, 999, 1000, 1500, 60_000, 90_000, 7_200_000])
      expect(parseDuration(typedDuration(ms))).toBe(ms)
  })
  test('in words', () => {
    expect(spokenDuration(90_000)).toBe('1 minute 30 seconds')
    expect(spokenDuration(1500)).toBe('1 second 500 ms')
    expect(spokenDuration(0)).toBe('no time')
  })
})

describe('the retry policy of a form (R1-002 to R1-007)', () => {
  test('what a person leaves alone is not sent, so that the project decides', () => {
    expect(read({})).toEqual({ input: {}, policy: defaultRetry, problems: {} })
    const own = { ...defaultRetry, retryCount: 2, retryOn: ['oom'], retryMaxTime: 300_000 }
    expect(read({}, own)).toEqual({ input: {}, policy: own, problems: {} })
  })

  test('what a person changes is sent as the API takes it', () => {
    const { input, problems } = read({
      retryCount: ' 3 ',
      retryDelay: '2s',
      retryBackoff: 'linear',
      retryOn: 'Connection refused\n\n  timeout  ',
      retryMaxTime: '5m',
    })
    expect(problems).toEqual({})
    expect(input).toEqual({
      retryCount: 3,
      retryDelay: 2000,
      retryBackoff: 'linear',
      retryOn: ['Connection refused', 'timeout'],
      retryMaxTime: 300_000,
    })
  })

  test('emptying what the project sets is sent too', () => {
    const own = { ...defaultRetry, retryOn: ['oom'], retryMaxTime: 300_000 }
    expect(read({ retryOn: '', retryMaxTime: '' }, own).input).toEqual({ retryOn: [], retryMaxTime: 0 })
  })

  test.each<[Partial<RetryDraft>, object]>([
    [{ retryCount: '11' }, { retryCount: 'At most 10.' }],
    [{ retryCount: '-1' }, { retryCount: 'At least 0.' }],
    [{ retryCount: 'many' }, { retryCount: 'Give a whole number, such as 3.' }],
    [{ retryCount: '' }, { retryCount: 'Give a whole number, such as 3.' }],
    [{ retryCount: '1.5' }, { retryCount: 'Give a whole number, such as 3.' }],
    [{ retryDelay: '61s' }, { retryDelay: 'At most 1 minute.' }],
    [{ retryDelay: 'soon' }, { retryDelay: 'Give a time such as 1500 (milliseconds), 30s, 5m or 2h.' }],
    [{ retryMaxTime: '200h' }, { retryMaxTime: 'At most 168 hours.' }],
    [{ retryOn: 'x'.repeat(201) }, { retryOn: 'Line 1 is too long: at most 200 characters.' }],
    [{ retryOn: 'x\n'.repeat(21) }, { retryOn: 'Too many lines: at most 20.' }],
  ])('%j is refused beside its field, and nothing is sent', (changed, problems) =>
    expect(read(changed)).toEqual({ input: {}, policy: null, problems }),
  )

  test('every wrong field is named at once', () => {
    expect(Object.keys(read({ retryCount: '99', retryDelay: '2h', retryMaxTime: 'x' }).problems).toSorted()).toEqual([
      'retryCount',
      'retryDelay',
      'retryMaxTime',
    ])
  })

  test("the server's own findings stand beside the fields that they name", () => {
    const details = [
      { field: 'retryOn.0', problem: 'too long' },
      { field: 'context', problem: 'no' },
      { field: 'constructor', problem: 'no' },
      null,
    ]
    expect(problemsOf(details)).toEqual({ retryOn: 'too long' })
    expect(problemsOf('nonsense')).toEqual({})
  })
})

describe('the preview of the delays (R1-008)', () => {
  const say = (changed: object) => describePolicy({ ...defaultRetry, ...changed })
  test('says when, up to when, and for what', () => {
    expect(say({})).toBe('No retries: the first failure ends it.')
    expect(say({ retryCount: 1 })).toBe('One retry after 1 s.')
    expect(say({ retryCount: 3 })).toBe('Retries after 1 s, 2 s, 4 s.')
    expect(say({ retryCount: 3, retryBackoff: 'linear', retryDelay: 1500 })).toBe('Retries after 1.5 s, 3 s, 4.5 s.')
    expect(say({ retryCount: 2, retryDelay: 0 })).toBe('2 retries at once.')
    expect(say({ retryCount: 2, retryDelay: 40_000 })).toBe('Retries after 40 s, 60 s.')
    expect(say({ retryCount: 1, retryMaxTime: 300_000, retryOn: ['oom', 'EOF'] })).toBe(
      'One retry after 1 s, none later than 5 minutes after the first start, if the error names “oom” or “EOF”.',
    )
  })
})
