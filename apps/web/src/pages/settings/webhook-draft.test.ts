import { expect, test } from 'vitest'
import { draftOf, draftProblem, wishOf } from './webhook-draft.ts'

const hook = { name: 'ops', format: 'json', events: ['failed'], projects: null } as const
const fresh = { ...draftOf(null), name: 'ops', url: ' https://ops.example/x ' }

test('an address and a secret that nobody typed stay as they are', () => {
  expect(draftProblem(draftOf(hook), hook, ['ops'])).toBeNull()
  expect(wishOf(draftOf(hook))).toEqual({ format: 'json', events: ['failed'], projects: null })
})

test('a new webhook needs a name that is free, and an address', () => {
  expect(draftProblem(draftOf(null), null, [])).toBe('Give it a name')
  expect(draftProblem(fresh, null, ['ops'])).toBe('There is a webhook ops already')
  expect(draftProblem({ ...fresh, url: ' ' }, null, [])).toBe('Type or paste the address')
  expect(draftProblem(fresh, null, [])).toBeNull()
  expect(wishOf(fresh).url).toBe('https://ops.example/x')
})

test('a secret signs JSON only: another format, or the wish to remove it, takes it away', () => {
  const signed = { ...fresh, secret: 'sixteen-letters-' }
  expect(wishOf(signed).secret).toBe('sixteen-letters-')
  expect(wishOf({ ...signed, unsigned: true }).secret).toBeNull()
  expect(wishOf({ ...signed, format: 'ntfy' }).secret).toBeNull()
  expect(draftProblem({ ...fresh, secret: 'short' }, null, [])).toContain('at least 16 characters')
})

test('it needs an event and a project', () => {
  expect(draftProblem({ ...fresh, events: [] }, null, [])).toBe('Choose at least one event')
  expect(draftProblem({ ...fresh, projects: [] }, null, [])).toBe('Choose a project, or all of them')
})
