import { expect, test } from 'vitest'
import { planningWish, planningWords } from './planning-choice.ts'

const planned = { plan: { version: 3, phased: true, approved: false } }

test('the default asks for nothing', () => {
  expect(planningWish('usual', {})).toEqual({})
  expect(planningWords({}).usual).toBe('Project default')
  expect(planningWords(planned).usual).toBe('Follow its plan, version 3')
})

test('a plan can be requested, even if there is one, which would be used otherwise', () => {
  expect(planningWish('first', {})).toEqual({ planning: { when: 'always', approve: 'never' } })
  expect(planningWish('first', planned)).toEqual({ kind: 'plan', planning: { approve: 'never' } })
  expect(planningWish('ask', planned)).toEqual({ kind: 'plan', planning: { approve: 'ask' } })
})

test('one session can be requested, whatever plan there is', () => {
  expect(planningWish('none', planned)).toEqual({ planning: { when: 'never' } })
})
