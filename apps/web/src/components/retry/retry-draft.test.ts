import { defaultRetry } from '@beadloom/core/records/retry.ts'
import { describe, expect, test } from 'vitest'
import { draftOf, problemsOf, readDraft, type RetryDraft } from './retry-draft.ts'

const read = (changed: Partial<RetryDraft>, defaults = defaultRetry) =>
  readDraft({ ...draftOf(defaults), ...changed }, defaults)

describe('the retry policy of a form', () => {
  test('untouched fields are not sent, so the project decides', () => {
    expect(read({})).toEqual({ input: {}, policy: defaultRetry, problems: {} })
    const own = { ...defaultRetry, retryCount: 2, retryOn: ['oom'], retryMaxTime: 300_000 }
    expect(read({}, own)).toEqual({ input: {}, policy: own, problems: {} })
  })

  test("changed fields are sent in the API's form", () => {
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

  test('emptied fields that the project sets are sent too', () => {
    const own = { ...defaultRetry, retryOn: ['oom'], retryMaxTime: 300_000 }
    expect(read({ retryOn: '', retryMaxTime: '' }, own).input).toEqual({ retryOn: [], retryMaxTime: 0 })
  })

  test.each<[Partial<RetryDraft>, object]>([
    [{ retryCount: '11' }, { retryCount: 'At most 10.' }],
    [{ retryCount: '-1' }, { retryCount: 'At least 0.' }],
    [{ retryCount: 'many' }, { retryCount: 'Give a whole number, such as 3.' }],
    [{ retryCount: '' }, { retryCount: 'Give a whole number, such as 3.' }],
    [{ retryCount: '1.5' }, { retryCount: 'Give a whole number, such as 3.' }],
    [{ retryDelay: '61s' }, { retryDelay: 'At most 1 min.' }],
    [{ retryDelay: 'soon' }, { retryDelay: 'Give a time such as 1500 (milliseconds), 30s, 5m or 2h.' }],
    [{ retryMaxTime: '200h' }, { retryMaxTime: 'At most 7 d.' }],
    [{ retryOn: 'x'.repeat(201) }, { retryOn: 'Line 1 is too long: at most 200 characters.' }],
    [{ retryOn: 'x\n'.repeat(21) }, { retryOn: 'Too many lines: at most 20.' }],
  ])('%j is refused beside its field, and nothing is sent', (changed, problems) =>
    expect(read(changed)).toEqual({ input: {}, policy: null, problems }),
  )

  test('all wrong fields are named at once', () => {
    expect(Object.keys(read({ retryCount: '99', retryDelay: '2h', retryMaxTime: 'x' }).problems).toSorted()).toEqual([
      'retryCount',
      'retryDelay',
      'retryMaxTime',
    ])
  })

  test("the server's own findings are beside the fields that they name", () => {
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
