import type { ExecutionView } from '../api/executions/execution-api.ts'
import { describe, expect, test } from 'vitest'
import { evidenceMarkdown, evidenceOf, workCommit } from './evidence.ts'
import { sampleStep, sampleView } from '../testing/sample-views.ts'
import type { SessionId } from '../records/ids.ts'

const session = (number: number) => `ex-0000000001.${number}` as SessionId
const view = (over: Parameters<typeof sampleView>[0] = {}) => sampleView({ state: 'COMPLETED', commit: 'c', ...over })
const told = (over: Parameters<typeof sampleView>[0] = {}) =>
  evidenceOf(view(over)).map(({ is, text }) => `${is}: ${text}`)
const red = {
  is: 'red',
  text: '2 new tests, both fail without the change',
  commit: 'c',
  base: 'b',
  session: session(4),
} as const

describe('the evidence for a piece of work', () => {
  test('is counted in a clean checkout, after the merge, and without the change, each with its record', () => {
    const verifications = [
      sampleStep({ collected: 13 }),
      sampleStep({ collected: 19, purpose: 'merge', session: session(3), commit: 'd' }),
    ]
    expect(evidenceOf(view({ verifications, redGreen: red }))).toEqual([
      { is: 'shown', text: '13 tests passed in a clean checkout', session: session(2) },
      { is: 'shown', text: '19 tests passed after the merge', session: session(3) },
      { is: 'shown', text: red.text, session: session(4) },
    ])
  })

  test('comes from the newest round: a check that failed before and passed in the end has passed', () => {
    const verifications = [sampleStep({ passed: false }), sampleStep({ run: 2, collected: 1 })]
    expect(told({ verifications, redGreen: red })[0]).toBe('shown: 1 test passed in a clean checkout')
  })
})

describe('the missing evidence', () => {
  test('is named: nothing ran, nothing was counted, no tests were found, nobody looked', () => {
    expect(told()).toEqual([
      'open: No check has run on this work',
      'open: Not known: whether new tests fail without the change',
    ])
    const build = sampleStep({ name: 'build', type: 'build', collected: null })
    expect(told({ verifications: [build] }).slice(0, 2)).toEqual([
      'shown: build passed in a clean checkout, by exit code alone',
      'open: Not known: how many tests ran in a clean checkout',
    ])
    expect(told({ verifications: [sampleStep({ collected: 0 })] })[1]).toBe(
      'open: No tests were found in a clean checkout',
    )
  })

  test("includes failures, the work's own tests, failures without it, and opinions", () => {
    expect(told({ state: 'FAILED', verifications: [sampleStep({ passed: false })] })[0]).toBe(
      'open: test failed in a clean checkout',
    )
    const verifications = [
      sampleStep({ made: true, onBase: true }),
      sampleStep({ step: 2, name: 'judge', opinion: { model: 'gpt-x', answer: 'yes', required: true } }),
    ]
    expect(told({ verifications })).toEqual([
      'shown: 12 tests passed in a clean checkout',
      'open: test was made by the work itself',
      'open: test fails without this work, too',
      'open: Not known: whether new tests fail without the change',
      'open: gpt-x was asked and said yes: an opinion, not proof',
    ])
  })

  test('includes a row that ran nothing', () => {
    expect(told({ verifications: [sampleStep({ exitCode: null })] })[0]).toBe(
      'open: No check has run in a clean checkout',
    )
  })

  test('includes tests that pass without the change', () => {
    const green = { ...red, is: 'green', text: '1 new test, and it passes without the change' } as const
    expect(told({ verifications: [sampleStep()], redGreen: green })[1]).toBe(`open: ${green.text}`)
  })
})

test('the reason why new tests are unknown is code in Markdown, as it may be a stranger’s words; counts are not', () => {
  const text = '1 new test: without the change nothing could be run (@everyone closes #1)'
  const markdown = (redGreen: ExecutionView['redGreen']) =>
    evidenceMarkdown(view({ verifications: [sampleStep()], redGreen }))
  expect(markdown({ ...red, is: 'unknown', text })).toMatch(/- `1 new test: without[^`]*`(\n|$)/)
  expect(markdown(red)).toContain(`- ${red.text}`)
})

describe('a review', () => {
  const agent = { kind: 'work', model: 'gpt-a' } as const
  const last = (reviewed: NonNullable<Parameters<typeof evidenceOf>[0]['reviewed']>, sessions = [agent]) => {
    const facts = { ...view({ verifications: [sampleStep()] }), sessions, reviewed }
    return evidenceOf(facts).at(-1)
  }

  test("by a model other than the author's is on record; its words are quoted", () => {
    expect(last({ model: 'gpt-b', verdict: 'ready' })).toEqual({
      is: 'shown',
      text: 'Reviewed by another model (gpt-b): ready',
      session: null,
    })
    expect(last({ model: 'gpt-b', verdict: 'not_ready' })?.text).toBe('Reviewed by another model (gpt-b): not ready')
  })

  test('by the model that a person chose while it ran shows nothing', () => {
    const changed = { ...view({ verifications: [sampleStep()] }), sessions: [agent], course: { model: 'gpt-b' } }
    expect(evidenceOf({ ...changed, reviewed: { model: 'gpt-b', verdict: 'ready' } }).at(-1)?.is).toBe('open')
  })

  test('by the same model, or an unknown one, shows nothing', () => {
    expect(last({ model: 'gpt-a', verdict: 'ready' })).toMatchObject({
      is: 'open',
      text: 'Reviewed by the model that did the work (gpt-a): ready',
    })
    expect(last({ model: null, verdict: 'ready' })).toMatchObject({ is: 'open', text: 'Reviewed: ready' })
    expect(last({ model: 'gpt-b', verdict: 'ready' }, [])).toMatchObject({
      is: 'open',
      text: 'Reviewed by gpt-b: ready',
    })
  })

  test('without a readable answer does not count', () => {
    expect(last({ model: 'gpt-b', verdict: 'unparseable' })?.text).not.toMatch(/Reviewed/)
  })

  test('is of the last commit that was checked by itself, not of the merge', () => {
    const verifications = [
      sampleStep({ commit: 'one' }),
      sampleStep({ commit: 'two', attempt: 2 }),
      sampleStep({ commit: 'merged', purpose: 'merge' }),
    ]
    expect(workCommit(view({ verifications }))).toBe('two')
    expect(workCommit(view({ verifications: [] }))).toBe('c')
  })
})

test('in Markdown a hostile name stays code on its line, and does nothing', () => {
  const name = '`x`\n# Ready\n@everyone Closes #1 https://evil.example'
  const verifications = [sampleStep({ name, type: 'lint', collected: null })]
  const text = evidenceMarkdown(view({ verifications }))
  expect(text.split('\n')).toHaveLength(3)
  for (const trigger of [/@\w/, /#\d/, /:\/\//, /^#/m]) expect(text).not.toMatch(trigger)
  expect(text).toContain('- Not known: how many tests ran in a clean checkout')
})
