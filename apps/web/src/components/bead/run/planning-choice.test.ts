import { expect, test } from 'vitest'
import { planningWish, planningWords } from './planning-choice.ts'

const planned = { plan: { version: 3, phased: true, approved: false } }

test('asks for nothing where the usual is chosen', () => {
  expect(planningWish('usual', {})).toEqual({})
  expect(planningWords({}).usual).toBe('As the project says')
  expect(planningWords(planned).usual).toBe('Follow its plan, version 3')
})

test('asks for a plan, also where there is one, which would be used otherwise', () => {
  expect(planningWish('first', {})).toEqual({ planning: { when: 'always', approve: 'never' } })
  expect(planningWish('first', planned)).toEqual({ kind: 'plan', planning: { approve: 'never' } })
  expect(planningWish('ask', planned)).toEqual({ kind: 'plan', planning: { approve: 'ask' } })
})

test('asks for one session, whatever plan there is', () => {
  expect(planningWish('none', planned)).toEqual({ planning: { when: 'never' } })
})
