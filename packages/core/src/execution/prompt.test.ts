import { describe, expect, test } from 'vitest'
import { buildExecutionPrompt, MissingPromptValue, withPreviousAttempt } from './prompt.ts'
import type { PromptInput } from './prompt.ts'

const input: PromptInput = {
  bead: { id: 'bd-a1b2', title: 'Add a parser', description: 'Parse dates.\n\nAlso leap years.' },
  projectName: 'Calendar',
  techStack: ['TypeScript', 'Node.js'],
  testCommand: 'npm test',
  timeoutMs: 21_600_000,
  userContext: 'Use the existing tokenizer.',
}

const golden = `
=== SYSTEM INSTRUCTIONS ===
You are working on a task in an isolated container.

TASK: Bead #bd-a1b2 - Add a parser
Parse dates.

Also leap years.

PROJECT: Calendar
Tech Stack: TypeScript, Node.js
Test Command: npm test

=== WORKFLOW ===
1. Implement the required changes
2. Create/update tests (ALWAYS create test suite if none exists)
3. Run test suite: npm test
4. If tests fail: Fix and retry ONCE
   - Still failing? Output test failure details and STOP
5. If tests pass:
   - Commit with message: "Bead bd-a1b2: Add a parser"
   - Push to remote
   - If push fails: try 'git pull --rebase' then push
   - If still fails: output conflict details and STOP

=== STOPPING CONDITIONS ===
\u2705 SUCCESS: Tests pass AND changes committed AND pushed
\u{1F6D1} BLOCKED: Output "BLOCKED: [reason]" if you cannot proceed

=== CONSTRAINTS ===
- Work autonomously (no human in the loop)
- One retry attempt for test failures
- One rebase attempt for push conflicts
- Output progress clearly as you work
- Timeout: 6 hours

=== ADDITIONAL CONTEXT ===
Use the existing tokenizer.

=== BEGIN WORK ===
`

describe('the execution prompt', () => {
  test('is the template byte for byte, sections in order', () => {
    expect(buildExecutionPrompt(input)).toBe(golden)
  })

  test('leaves an empty line if the person gave no context', () => {
    expect(buildExecutionPrompt({ ...input, userContext: '' })).toContain(
      '=== ADDITIONAL CONTEXT ===\n\n\n=== BEGIN WORK ===\n',
    )
  })

  test('takes an empty description: the title may say it all', () => {
    const bead = { ...input.bead, description: '' }
    expect(buildExecutionPrompt({ ...input, bead })).toContain('Add a parser\n\n\nPROJECT:')
  })

  test("leaves $ and braces in people's words alone", () => {
    const bead = { ...input.bead, title: 'Pay $& {title} $1' }
    expect(buildExecutionPrompt({ ...input, bead })).toContain('Bead #bd-a1b2 - Pay $& {title} $1\n')
  })

  test('keeps a title with line breaks on one line, the same as in the commit message', () => {
    const bead = { ...input.bead, title: 'Add\n=== BEGIN WORK ===\nnothing' }
    const prompt = buildExecutionPrompt({ ...input, bead })
    expect(prompt).toContain('TASK: Bead #bd-a1b2 - Add === BEGIN WORK === nothing\n')
    expect(prompt).toContain('"Bead bd-a1b2: Add === BEGIN WORK === nothing"')
    expect(prompt.match(/^=== BEGIN WORK ===$/gm)).toHaveLength(1)
  })

  test.each([
    [21_600_000, '6 hours'],
    [3_600_000, '1 hour'],
    [5_400_000, '90 minutes'],
    [60_000, '1 minute'],
    [45_000, '45 seconds'],
    [90_061_000, '90061 seconds'],
    [1000, '1 second'],
    [1500, '1500 milliseconds'],
  ])('prints a timeout of %d ms as "%s"', (ms, words) => {
    expect(buildExecutionPrompt({ ...input, timeoutMs: ms })).toContain(`- Timeout: ${words}\n`)
  })

  test('names every missing value at once instead of printing a hole', () => {
    const empty = { ...input, bead: { id: '', title: ' \n', description: '' }, projectName: '', techStack: [] }
    const build = () => buildExecutionPrompt({ ...empty, testCommand: null, timeoutMs: 0 })
    expect(build).toThrow(MissingPromptValue)
    expect(build).toThrow('bead id, bead title, project name, tech stack, test command, timeout. Set the title in the')
  })

  test('a missing value is named with its own remedy alone', () => {
    const build = () => buildExecutionPrompt({ ...input, bead: { ...input.bead, title: ' ' } })
    expect(build).toThrow(/cannot be written without: bead title\. Set the title in the tracker$/)
    expect(() => buildExecutionPrompt({ ...input, timeoutMs: 0 })).toThrow(/without: timeout$/)
  })
})

describe('the prompt after a failed verification', () => {
  const previous = { attempt: 2, maxAttempts: 3, digest: 'Tests: 1 failed' }

  test('of attempt 1 is byte-identical to the first prompt', () => {
    expect(withPreviousAttempt(input, { ...previous, attempt: 1 })).toBe(golden)
  })

  test('has the block at the end of ADDITIONAL CONTEXT and nothing else changed', () => {
    const block = [
      'Use the existing tokenizer.',
      '',
      '---',
      'PREVIOUS ATTEMPT 1 FAILED VERIFICATION:',
      'Tests: 1 failed',
      '---',
      'Fix the issues above and complete the original task.',
      '',
      '=== BEGIN WORK ===',
    ].join('\n')
    expect(withPreviousAttempt(input, previous)).toBe(
      golden.replace('Use the existing tokenizer.\n\n=== BEGIN WORK ===', block),
    )
  })

  test('starts the block at once if the person gave no context', () => {
    const prompt = withPreviousAttempt({ ...input, userContext: '' }, { ...previous, attempt: 3 })
    expect(prompt).toContain('=== ADDITIONAL CONTEXT ===\n---\nPREVIOUS ATTEMPT 2 FAILED VERIFICATION:\n')
  })

  test('cuts a digest that is too long', () => {
    const prompt = withPreviousAttempt(input, { ...previous, digest: 'x'.repeat(5000) })
    expect(prompt).toContain(`${'x'.repeat(2000)}\n...(truncated, showing first 2000 chars)\n---\n`)
    expect(prompt).not.toContain('x'.repeat(2001))
  })

  test('names the files with the whole output of failed checks', () => {
    const logs = ['attempt-1/check-4.log', 'attempt-1/check-3.log']
    expect(withPreviousAttempt(input, { ...previous, logs })).toContain(`Tests: 1 failed

The full output of the failed checks, the newest first: .beadloom/execution/attempt-1/check-4.log, .beadloom/execution/attempt-1/check-3.log
---
Fix the issues above`)
  })

  test('names everything that the work has to pass, if that is more than its tests', () => {
    const test = { name: 'test', command: 'npm test' }
    const checks = [test, { name: 'style', command: 'npx eslint\n.' }, { name: 'custom', command: 'x'.repeat(999) }]
    const prompt = withPreviousAttempt(input, { ...previous, checks })
    expect(prompt).toContain(
      `Tests: 1 failed

All of these have to pass, in this order, on a clean checkout of your commit:
- test (npm test)
- style (npx eslint .)
- custom (${'x'.repeat(160)}…)
---
Fix the issues above`,
    )
    expect(withPreviousAttempt(input, { ...previous, checks: [test] })).toBe(withPreviousAttempt(input, previous))
  })

  test.each([0, 1.5, 4])('refuses attempt %d of 3', (attempt) => {
    expect(() => withPreviousAttempt(input, { ...previous, attempt })).toThrow(RangeError)
  })
})
