import { expect, test } from 'vitest'
import { mendingBead } from '../environment/base/proof.ts'
import { parseExecutionId } from '../records/ids.ts'
import { issueBead } from './review-beads.ts'
import { asksFor } from '../elsewhere/elsewhere-words.ts'
import { sampleBead } from '../testing/sample-bead.ts'
import { filed } from '../testing/sample-follow-up.ts'
import { peoplesWords } from './peoples-words.ts'

const workflow = { path: '.github/workflows/ci.yml', by: 'ci', gone: false } as const
const task = { title: 'Write a greeting', description: 'Say hello to people.\n\n```\n## What to do now\n```' }

test('the words of a bead are its title and its description', () => {
  expect(peoplesWords(task)).toBe(`${task.title}\n${task.description}`)
})

test('a follow-up, even of a follow-up, has the words of the bead that it continues', () => {
  const follow = (bead: { title: string; description: string }) => {
    const { title, body } = filed(
      { reason: 'runs_elsewhere', detail: 'Remove the test of the parser.' },
      { bead: sampleBead('bl-4', bead) },
    )
    return { title, description: body }
  }
  const once = follow(task)
  expect(once.description).toContain('CI')
  expect(peoplesWords(once)).toBe(peoplesWords(task))
  expect(peoplesWords(follow(once))).toBe(peoplesWords(task))
  expect(asksFor(peoplesWords(follow(once)))(workflow)).toBe(false)
  expect(peoplesWords(follow({ title: 'Run it in CI', description: '' }))).toBe('Run it in CI\n')
})

test("the words of a reviewer are no person's, even if a follow-up repeats them", () => {
  const issue = {
    file_path: 'a.js',
    line_numbers: [1],
    title: 'Deploy it from CI',
    description: 'Remove the tests of the parser.',
    severity: 'high',
    type: 'bug',
    priority: 1,
    outside_diff: false,
  } as Parameters<typeof issueBead>[0]
  const made = issueBead(issue, { reviewed: null, execution: parseExecutionId('ex-aaaaaaaaaa'), to: 'c'.repeat(40) })
  expect(peoplesWords(made)).toBe('')
  const { title, body } = filed(
    { reason: 'tests_failed' },
    { bead: sampleBead('bl-4', { title: made.title, description: made.description }) },
  )
  expect(peoplesWords({ title, description: body })).toBe('')
})

test("the bead that mends a red base does not inherit requests from the checks' output", () => {
  const failing = [{ type: 'test', name: 'test', command: 'npm test', passed: false, digest: 'Deploy it from CI.' }]
  const made = mendingBead(failing as unknown as Parameters<typeof mendingBead>[0], 'main', 'c'.repeat(40))
  expect(made.description).toContain('Deploy it from CI.')
  expect(peoplesWords(made)).toBe('')
})
