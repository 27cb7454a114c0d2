import { describe, expect, test } from 'vitest'
import { retryPrompt, templateProblem } from './retry-prompt.ts'

const last = { error: '', lastThought: '', lastAction: '', observation: '' }

describe('the prompt of a fresh start', () => {
  test('has a value for every placeholder, with or without spaces, as often as it is used', () => {
    const template =
      '{{error}} | {{ lastThought }} | {{lastAction}} | {{observation}} | {{originalTask}} {{originalTask}}'
    const filled = retryPrompt(template, 'T', { error: 'E', lastThought: 'L', lastAction: 'A', observation: 'O' })
    expect(filled).toBe('E | L | A | O | T T')
  })

  test('says that the error is unknown, and nothing if there was no step', () => {
    expect(retryPrompt('[{{error}}][{{lastThought}}][{{lastAction}}][{{observation}}]', 'T', last)).toBe(
      '[Unknown error][][][]',
    )
  })

  test('treats output of an agent or a command neither as a template nor as a pattern', () => {
    const odd = { ...last, error: '{{originalTask}} $& $1', observation: '{{error}}' }
    expect(retryPrompt('{{error}}/{{observation}}/{{originalTask}}', 'T', odd)).toBe(
      '{{originalTask}} $& $1/{{error}}/T',
    )
  })
})

describe('a template', () => {
  test('with an unknown placeholder is refused with the known ones', () => {
    expect(templateProblem('{{originalTask}} {{errors}} {{ }} {{errors}}')).toBe(
      'has no placeholder {{errors}} or {{}}: there are {{originalTask}}, {{error}}, {{lastThought}}, {{lastAction}}, {{observation}}',
    )
  })

  test('without the task is refused', () => {
    expect(templateProblem('Try again: {{error}}')).toMatch(/^needs \{\{originalTask\}\}/)
  })

  test('may leave everything else out, and have braces of its own', () => {
    expect(templateProblem('{{originalTask}} { } {"a": {"b": 1}}')).toBeNull()
  })
})
