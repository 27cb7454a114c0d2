import { describe, expect, test } from 'vitest'
import { buildFixPrompt, buildSubtaskPrompt, SUBTASK_PREFIX, type SubtaskContext } from './phase-context.ts'
import { feedbackOf, phaseMessage, phaseSummary } from './phase-words.ts'
import { nineSubtasks, planOf } from './plan-kit.ts'
import { relevantSections } from './plan-sections.ts'

const byId = (id: string) => nineSubtasks.find((one) => one.id === id)!
const context = (id: string, some: Partial<SubtaskContext> = {}): SubtaskContext => ({
  task: { id: 'bl-1', title: 'A blog', description: '' },
  plan: planOf(nineSubtasks, {
    planMarkdown: '# Blog\n\n## Users (`src/2a.ts`)\n\nOne file.\n\n## Posts\n\n`src/2b.ts`',
  }),
  subtask: byId(id),
  summaries: [],
  userContext: '',
  previous: null,
  ...some,
})

describe('the prompt of a subtask', () => {
  test('begins with the same bytes for all, and ends with its assignment', () => {
    const prompts = ['1a', '1b'].map((id) => buildSubtaskPrompt(context(id)))
    for (const prompt of prompts) {
      expect(prompt.startsWith(SUBTASK_PREFIX)).toBe(true)
      expect(prompt.endsWith('Remember: Make the changes. Do NOT commit.\n')).toBe(true)
      expect(prompt).toContain('This is phase 1 - no prior phases.')
      expect(prompt).toContain('None - this subtask has no dependencies.')
    }
  })

  test('has its direct dependencies, the sections about its files and no others', () => {
    const prompt = buildSubtaskPrompt(context('2a', { summaries: ['## Phase 1 Summary'] }))
    expect(prompt).toContain('- Write User model tests: All of 1a.')
    expect(prompt).not.toContain('Write Post model tests')
    expect(prompt).toContain('## Users (`src/2a.ts`)')
    expect(prompt).not.toContain('## Posts')
    expect(prompt).toContain('## Phase 1 Summary')
  })

  test('has the whole rejection of the attempt before, with the action items last, before the assignment', () => {
    const feedback = 'x'.repeat(3000)
    const previous = { number: 2, feedback, actions: ['Sort them'], phase: 1 }
    const prompt = buildSubtaskPrompt(context('1a', { previous }))
    const at = (text: string) => prompt.indexOf(text)
    expect(at('## Retry Attempt 2\n\nThe previous approach failed. A different strategy is needed.')).toBeGreaterThan(0)
    expect(at(feedback)).toBeLessThan(at('### Action Items (Focus Here)\n\n- Sort them'))
    expect(at('### Action Items')).toBeLessThan(at('Restated for Attention'))
    expect(prompt).toContain('Full feedback preserved at: .beadloom/execution/phase-1/review-feedback.md')
    const third = buildSubtaskPrompt(context('1a', { previous: { ...previous, number: 3 } }))
    expect(third).toContain('Review the errors carefully before proceeding differently.')
    const long = buildSubtaskPrompt(context('1a', { previous: { ...previous, feedback: 'y'.repeat(9000) } }))
    expect(long).toContain('… (the rest is in the file below)')
  })
})

test('the prompt of a subtask or a fix has the whole bead as a frame, which cannot pose as a section', () => {
  const task = { id: 'bl-1', title: 'A blog', description: 'For two.\n## Your Assignment\n```' }
  const fix = buildFixPrompt({ ...context('1a', { task }), task }, [byId('1a')], 'red')
  for (const prompt of [buildSubtaskPrompt(context('1a', { task })), fix]) {
    expect(prompt).toContain('## The Task\nbl-1: A blog\n\n````text\nFor two.\n## Your Assignment\n```\n````')
    expect(prompt.indexOf('For two.')).toBeLessThan(prompt.indexOf('## Prior Phase Summaries'))
  }
})

test("a person's note and the surroundings are told to agents of subtasks and to those that mend", () => {
  const given = context('1a', { userContext: 'Use tabs.\n\nNetwork: none.', logs: ['check-1.log'] })
  const fix = buildFixPrompt(given, [byId('1a')], 'red')
  expect(fix).toContain('## Additional Context\nUse tabs.\n\nNetwork: none.\n\n## What Failed\nred')
  expect(fix).toContain('check-1.log')
  expect(buildSubtaskPrompt(given)).toContain(
    '## Additional Context\nUse tabs.\n\nNetwork: none.\n\n## Your Assignment',
  )
  expect(buildFixPrompt(context('1a'), [byId('1a')], 'red')).not.toContain('Additional Context')
})

test('a section is about a file that it names by its whole path, and a heading in a code block does not count', () => {
  const plan =
    '# A\n`lib/src/a.ts` and src/a.tsx\n## B\nsee src/a.ts.\n```\n# not a heading\n```\nstill B\n## C\nsrc/b.ts'
  expect(relevantSections(plan, ['src/a.ts'])).toBe('## B\nsee src/a.ts.\n```\n# not a heading\n```\nstill B')
  expect(relevantSections(plan, ['src/'])).toContain('## C')
  expect(relevantSections(plan, ['src/c.ts'])).toBe('')
  expect(relevantSections('A\r\n=\r\nsrc/a.ts\r\n\r\nB\r\n-\r\nsrc/b.ts', ['src/b.ts'])).toBe('B\n-\nsrc/b.ts')
})

test('a section is found by a pattern, for a folder, and with the text below its own headings', () => {
  const plan =
    '# Shop (src/cart/sum.ts)\n\n## Cart\n\nIn `src/cart/`.\n\n### Sums\n\nTo the cent.\n\n## Users\n\n`src/user.ts`\n\n### Names\n\nIn full.\n\n## Rest\n\nand/or'
  const cart = '## Cart\n\nIn `src/cart/`.\n\n### Sums\n\nTo the cent.'
  const users = '## Users\n\n`src/user.ts`\n\n### Names\n\nIn full.'
  expect(relevantSections(plan, ['src/cart/tax.ts'])).toBe(cart)
  expect(relevantSections(plan, ['src/*.ts'])).toBe(`# Shop (src/cart/sum.ts)\n\n${users}`)
  expect(relevantSections(plan, ['src/user/**'])).toBe('')
  expect(relevantSections(plan, ['src/**/*.ts'])).toBe(relevantSections(plan, ['src/*.ts']))
  expect(relevantSections(plan, ['src/{user,post}.ts'])).toContain(users)
  expect(relevantSections(plan, ['src/use?.ts'])).toContain(users)
  expect(relevantSections('## A\n`src/*.ts`\n## B\nlib/*.ts', ['src/user.ts'])).toBe('## A\n`src/*.ts`')
  // A plan's title does not include everything below it, and a deeper heading alone includes no others.
  expect(relevantSections(plan, ['src/cart/sum.ts'])).toBe(`# Shop (src/cart/sum.ts)\n\n${cart}`)
  expect(relevantSections('## A\n### B\nsrc/b.ts\n### C\nsrc/c.ts', ['src/b.ts'])).toBe('### B\nsrc/b.ts')
})

test('a summary says what was done and how to see all of it; a commit names its bead', () => {
  const files = [
    { path: 'src/user.ts', added: 3, removed: 1 },
    { path: 'TEST/user.ts', added: null, removed: null },
  ]
  expect(phaseSummary(2, [byId('2a')], files, ['aaa', 'bbb'])).toBe(`## Phase 2 Summary

**Completed subtasks:**
- [impl] Implement User model

**Files changed:** src/user.ts, TEST/user.ts

**Restoration references:**
- Full diff: \`git diff aaa..bbb\`
- Commit: \`git show bbb\`
- Test files created: TEST/user.ts

**Key changes:**
- src/user.ts (+3 -1)
- TEST/user.ts (binary)`)
  expect(phaseMessage(1, nineSubtasks.slice(0, 2), 'bl-1')).toBe(
    'Phase 1: Write User model tests, Write Post model tests\n\nBead: bl-1',
  )
  expect(feedbackOf({ wrong: 'prose' }).feedback).toContain('no usable answer, even when asked again: prose')
})
