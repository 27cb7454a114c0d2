import { expect, test } from 'vitest'
import { actorName } from './actor.ts'

test.each([
  ['gastown--mayor', 'gastown/mayor'],
  ['gastown/mayor', 'gastown/mayor'],
  ['shop--crew--dave', 'shop/crew/dave'],
  ['a---b', 'a---b'],
  ['a-_b', 'a-_b'],
  ['a.--b', 'a.--b'],
  ['a__b', 'a__b'],
  ['ana-maria', 'ana-maria'],
  ['', ''],
])('the actor %j is %j', (stored, name) => {
  expect(actorName(stored)).toBe(name)
})
