import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { retryPrompt } from '@beadloom/core/execution/fresh-starts/retry-prompt.ts'
import { expect, onTestFinished, test } from 'vitest'
import { readTemplate, shippedTemplate } from './retry-template.ts'

test('the default template says what failed before it repeats the task', () => {
  const last = { error: 'E', lastThought: 'L', lastAction: 'A', observation: 'O' }
  expect(retryPrompt(shippedTemplate, 'T', last).split(/\n+/)).toEqual([
    '## Previous Attempt Failed',
    'I tried to complete this task but encountered an error:',
    '**Error:** E',
    '**Last thought:** L',
    '**Last action:** A',
    '**Observation:** O',
    'Please try again with a different approach. Learn from the failure above.',
    '## Original Task',
    'T',
    '',
  ])
})

test('a template that could not be filled in is refused when it is read, by its path', () => {
  const folder = mkdtempSync(join(tmpdir(), 'bl-template-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'own.prompt')
  writeFileSync(path, '{{originalTask}} {{errors}}')
  expect(() => readTemplate(path)).toThrow(`the template ${path} has no placeholder {{errors}}`)
})
