import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  executionOf,
  InvalidInput,
  newExecutionId,
  newInstanceId,
  parseBeadId,
  parseExecutionId,
  parseProjectId,
  parseSessionId,
  projectIdFrom,
  sessionIdOf,
} from './ids.ts'

describe('ids', () => {
  test.each(['bd-a3f2', 'my-app-a3f2', 'bd-a3f8e9.1.2', 'bd-main-idj', 'bd-wisp-75s', 'BD-1', 'bl_x-1', 'a'])(
    'of beads, as bd makes them, are accepted: %s',
    (id) => {
      expect(parseBeadId(id)).toBe(id)
    },
  )

  test.each(['', '-a', 'a-', 'a..b', '../x', 'a/b', 'a b', 'a\n', 'ä', 'a'.repeat(129), '$(x)', 'a;b', '.a'])(
    'that could be a path, an option or a command are refused: %j',
    (id) => {
      expect(() => parseBeadId(id)).toThrow(InvalidInput)
      expect(() => parseProjectId(id)).toThrow(InvalidInput)
      expect(() => parseExecutionId(id)).toThrow(InvalidInput)
    },
  )

  test('are refused with a bounded message', () => {
    expect(() => parseBeadId('/'.repeat(100_000))).toThrow(/^not a bead id: "\/{128}"$/)
    expect(() => parseProjectId('A B')).toThrow(
      'not a project id: "A B" (at most 64 lower-case letters, digits and hyphens, with no hyphen first or last)',
    )
    expect(() => parseExecutionId('an')).toThrow(/^not an execution id: "an"$/)
  })

  test('are made from a source of chance that the caller owns', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), (chance) => {
        const execution = newExecutionId(() => chance)
        expect(execution).toMatch(/^ex-[a-z0-9]{10}$/)
        expect(newInstanceId(() => chance)).toMatch(/^in-[a-z0-9]{12}$/)
        expect(executionOf(sessionIdOf(execution, 7))).toBe(execution)
      }),
    )
  })

  test('of sessions count from 1 within their execution', () => {
    const execution = newExecutionId(() => 0)
    expect(sessionIdOf(execution, 1)).toBe('ex-0000000000.1')
    expect(() => sessionIdOf(execution, 0)).toThrow(InvalidInput)
    expect(() => parseSessionId('ex-0000000000.01')).toThrow(InvalidInput)
  })

  test('of projects come from any name that has a letter or digit in it', () => {
    expect(projectIdFrom('My Größe App.git')).toBe('my-gr-e-app-git')
    expect(() => projectIdFrom('日本')).toThrow(InvalidInput)
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), fc.constantFrom('a', '7'), (name, solid) => {
        expect(projectIdFrom(`${solid}${name}`)).toMatch(/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/)
      }),
    )
  })
})
