import { expect, test } from 'vitest'
import { coAuthored, identityOfName, parseIdentity } from './identity.ts'

test('an author is written as git writes one, and nothing else is accepted', () => {
  expect(parseIdentity('Ada Lovelace <ada@example.org>')).toEqual({ name: 'Ada Lovelace', email: 'ada@example.org' })
  expect(parseIdentity('Bots Inc. (CI)<ci@example.org>')).toEqual({ name: 'Bots Inc. (CI)', email: 'ci@example.org' })
  for (const text of ['Ada', '<ada@example.org>', 'Ada <>', 'Ada <a> <b>', 'Ada <a b>'])
    expect(parseIdentity(text)).toBeNull()
})

test('a person who signed in has an address, their own if that is their name', () => {
  expect(identityOfName('ann@example.org')).toEqual({ name: 'ann@example.org', email: 'ann@example.org' })
  expect(identityOfName('Ann Lee')).toEqual({ name: 'Ann Lee', email: 'Ann.Lee@localhost' })
  expect(identityOfName('<>\n')).toBeNull()
  expect(coAuthored({ name: 'Codex', email: 'c@localhost' })).toBe('Co-authored-by: Codex <c@localhost>')
})
