import { expect, test } from 'vitest'
import { tellFlags } from './tell-flags.ts'

const tampered = (text: string) => ({ kind: 'tampered', text }) as const

test('a flag that several attempts raised in the same words is shown once', () => {
  expect(
    tellFlags([
      tampered('attempt 1: a test is gone'),
      { kind: 'opinion', text: 'attempt 1, judge scope: m says no: too much' },
      tampered('attempt 2: a test is gone'),
      tampered('attempt 3: two tests are gone'),
      { kind: 'opinion', text: 'attempt 3, judge scope: m says no: too much' },
      { kind: 'adopted', text: 'the server was restarted' },
    ]),
  ).toEqual([
    tampered('attempts 1 and 2: a test is gone'),
    { kind: 'opinion', text: 'attempts 1 and 3, judge scope: m says no: too much' },
    tampered('attempt 3: two tests are gone'),
    { kind: 'adopted', text: 'the server was restarted' },
  ])
})
