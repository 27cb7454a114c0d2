import { expect, test } from 'vitest'
import { mentionsIn } from './bead-mentions.tsx'

test('the beads in a reason are separated from its words', () => {
  expect(mentionsIn('waits for bl-1 and bl-2', ['bl-1', 'bl-2'])).toEqual([
    { text: 'waits for ' },
    { bead: 'bl-1' },
    { text: ' and ' },
    { bead: 'bl-2' },
  ])
  expect(mentionsIn('Waits for bl-1.', ['bl-1'])).toEqual([{ text: 'Waits for ' }, { bead: 'bl-1' }, { text: '.' }])
})

test('an id is not found in a longer one', () => {
  expect(mentionsIn('waits for bl-1.2, bl-12 and xbl-1', ['bl-1'])).toEqual([
    { text: 'waits for bl-1.2, bl-12 and xbl-1' },
  ])
  expect(mentionsIn('waits for bl-1.2', ['bl-1', 'bl-1.2'])).toEqual([{ text: 'waits for ' }, { bead: 'bl-1.2' }])
})

test('a sentence without beads stays one piece, and no id is made up', () => {
  expect(mentionsIn('3 of 3 slots in use', [])).toEqual([{ text: '3 of 3 slots in use' }])
  expect(mentionsIn('waits for 4 beads', ['bl-1', ''])).toEqual([{ text: 'waits for 4 beads' }])
})
